import type { Seed, World } from './home.ts';

export function cnHome({ modelUrl }: World): Seed {
  const model = {
    name: 'fake-model',
    provider: 'openai',
    model: 'fake-model',
    apiBase: `${modelUrl}/v1`,
    apiKey: 'sk-not-a-key-0123456789',
    roles: ['chat'],
    // Else it shortens a long prompt for ever.
    defaultCompletionOptions: { contextLength: 1_000_000 },
  };
  const config = { name: 'loopback', version: '1.0.0', schema: 'v1', models: [model] };
  // JSON is YAML.
  return {
    env: { CONTINUE_TELEMETRY_ENABLED: '0' },
    files: { '.continue/config.yaml': JSON.stringify(config) },
  };
}
