import type { Seed, World } from './home.ts';

const KEY = 'sk-ant-api03-not-a-key-0123456789abcdef';

export function claudeHome({ work, modelUrl, account }: World): Seed {
  const approved = [KEY.slice(-20)];
  return {
    env: {
      ANTHROPIC_BASE_URL: modelUrl,
      ...(account === 'key'
        ? { ANTHROPIC_API_KEY: KEY }
        : { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-not-a-token' }),
      CLAUDE_CODE_MAX_RETRIES: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      DISABLE_TELEMETRY: '1',
    },
    files: {
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved, rejected: [] },
        projects: { [work]: { hasTrustDialogAccepted: true } },
      }),
    },
  };
}
