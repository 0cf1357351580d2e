import type { Seed, World } from './home.ts';

export function qwenHome({ modelUrl }: World): Seed {
  return {
    env: {
      OPENAI_API_KEY: 'sk-not-a-key-0123456789',
      OPENAI_BASE_URL: `${modelUrl}/v1`,
      OPENAI_MODEL: 'fake-model',
    },
    files: {
      '.qwen/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false, disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
        model: { generationConfig: { maxRetries: 0 } },
      }),
    },
  };
}
