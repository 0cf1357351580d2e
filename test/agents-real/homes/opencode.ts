import type { Seed, World } from './home.ts';

/** Dollars for a million tokens, from which the CLI works out what a run cost. */
export const OPENCODE_PRICE = { input: 3, output: 15 };

export function opencodeHome({ modelUrl }: World): Seed {
  const model = {
    name: 'Fake Model',
    limit: { context: 128_000, output: 8192 },
    cost: OPENCODE_PRICE,
  };
  return {
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    },
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'loopback/fake-model',
        small_model: 'loopback/fake-model',
        enabled_providers: ['loopback'],
        provider: {
          loopback: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Loopback',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'sk-not-a-key-0123456789' },
            models: { 'fake-model': model, 'other-model': { ...model, name: 'Other Model' } },
          },
        },
      }),
    },
  };
}
