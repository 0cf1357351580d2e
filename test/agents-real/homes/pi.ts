import type { Seed, World } from './home.ts';

/** Dollars for a million tokens, from which the CLI works out what a run cost. */
export const PI_PRICE = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 0 };

export function piHome({ modelUrl }: World): Seed {
  const loopback = {
    baseUrl: `${modelUrl}/v1`,
    api: 'openai-completions',
    apiKey: 'sk-not-a-key-0123456789',
    models: [model('fake-model'), model('other-model')],
  };
  return {
    env: { PI_OFFLINE: '1' },
    files: {
      '.pi/agent/models.json': JSON.stringify({ providers: { loopback } }),
      '.pi/agent/settings.json': JSON.stringify({
        defaultProvider: 'loopback',
        defaultModel: 'fake-model',
        retry: { enabled: true, maxRetries: 1, baseDelayMs: 500, provider: { maxRetries: 0 } },
      }),
    },
  };
}

function model(id: string): object {
  return { id, name: id, contextWindow: 128_000, maxTokens: 8192, cost: PI_PRICE };
}
