import type { Seed, World } from './home.ts';

/** A provider of its user's own needs no account; offline it calls nobody else. */
export function copilotHome({ modelUrl, work }: World): Seed {
  return {
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: 'sk-not-a-key-0123456789',
      COPILOT_MODEL: 'fake-model',
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '1000000',
      COPILOT_AUTO_UPDATE: 'false',
    },
    files: { '.copilot/config.json': JSON.stringify({ trusted_folders: [work], banner: 'never' }) },
  };
}
