export type Cli = 'claude' | 'codex' | 'gemini' | 'opencode' | 'qwen' | 'pi' | 'copilot' | 'cn';

export interface Installed {
  /** The folder of the commands. */
  readonly bin: string;
  readonly versions: { readonly [cli in Cli]: { readonly installed: string; readonly pinned: string } };
}

/** What `scripts/test-agents.mjs` has installed for this run of the tests. */
export function installedClis(): Installed {
  const text = process.env['LOOPWRIGHT_TEST_CLIS'];
  if (!text)
    throw new Error('The agent CLIs are not installed: start these tests with `npm run test:agents`.');
  return JSON.parse(text) as Installed;
}
