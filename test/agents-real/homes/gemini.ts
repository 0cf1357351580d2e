import type { Seed, World } from './home.ts';

export function geminiHome({ modelUrl }: World): Seed {
  return {
    env: { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: 'not-a-key-0123456789' },
    files: {
      '.gemini/settings.json': JSON.stringify({
        general: {
          enableAutoUpdate: false,
          enableAutoUpdateNotification: false,
          maxAttempts: 2,
          // Else a later resume may not find the conversation.
          sessionRetention: { enabled: false },
        },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      }),
    },
  };
}
