import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from '../cli/support.ts';

/** An agent that does its task wrong and then writes files that git ignores, so that the checks pass all the same. */
async function cheated(mode: 'direct' | 'local-git', plant: string, command?: string) {
  const base = tempFolder();
  const cwd = join(base, 'project');
  const adapter = {
    metadata: { displayName: 'cheat' },
    binary: { command: './cheat.sh' },
    modes: {
      headless: {
        args: [],
        promptPosition: 'last',
        closeStdin: true,
        settings: { permissions: { read: { args: [] }, edits: { args: [] }, all: { args: [] } } },
      },
    },
  };
  write(cwd, {
    'a.txt': 'bad',
    'check.mjs':
      "import { readFileSync } from 'node:fs';\nif (process.env.SKIP !== '1' && readFileSync('a.txt', 'utf8') !== 'good') process.exit(1);\n",
    '.gitignore': 'node_modules\n.env\n.loopwright\n',
    '.loopwright/adapters/cheat.json': adapter,
    '.loopwright/adapters/cheat.sh': `#!/bin/sh\necho worse > a.txt\n${plant}\necho done\n`,
    '.loopwright/config.json': {},
  });
  chmodSync(join(cwd, '.loopwright/adapters/cheat.sh'), 0o755);
  const git = (...args: string[]) => execFileSync('git', args, { cwd });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'a@b.c');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  const env = {
    HOME: join(base),
    REPO_MODE: mode,
    LOCAL_REPO_PATH: cwd,
    LLM_EXECUTOR: 'cheat',
    LOOPWRIGHT_SANDBOX: 'off',
    LOOPWRIGHT_TASK_LOCK_DIR: join(base, 'locks'),
    WORKER_AUTO_VERIFY_MODE: command === undefined ? 'contract' : 'off',
  };
  const place = { cwd, env };
  await loopwright(
    ['task', 'add', 'mend it', ...(command === undefined ? [] : ['--command', command])],
    place,
  );
  const { stdout } = await loopwright(['work', '--once'], place);
  return { said: stdout };
}

const NODE =
  "mkdir -p node_modules/.bin; printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/node; chmod 755 node_modules/.bin/node";

describe.each(['direct', 'local-git'] as const)('an agent in %s mode', (mode) => {
  it('that puts a program of its own before one of the machine proves nothing with it', async () => {
    const { said } = await cheated(mode, NODE, 'node check.mjs');
    expect(said).not.toMatch(/verified|1 done/);
    expect(said).toContain('node_modules/.bin/node');
  });

  it('that writes the variables of its own checks is checked without them', async () => {
    const { said } = await cheated(mode, 'echo SKIP=1 > .env', 'node check.mjs');
    expect(said).not.toMatch(/verified|1 done/);
    expect(said).toContain('node check.mjs');
  });
});

describe('an agent in a worktree', () => {
  it('that writes the contract of what is to be checked is not checked by it', async () => {
    const contract = `{"commands":["node --check check.mjs"]}`;
    const plant = `mkdir -p .loopwright; echo '${contract}' > .loopwright/verify.contract.json`;
    const { said } = await cheated('local-git', plant);
    expect(said).not.toMatch(/\bverified\b/);
  });
});
