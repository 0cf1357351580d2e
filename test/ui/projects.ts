import { join } from 'node:path';
import { loopwright, type Place, tempFolder, wholeId, write } from '../cli/support.ts';
import { commitAll, git, identify } from '../cli/workspace-support.ts';

const SUM = 'export const sum = (a, b) => a - b;\nexport const twice = (a) => a * 2;\n';
const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sum } from '../src/sum.mjs';
test('adds', () => {
  assert.equal(sum(2, 2), 4);
});
`;
export const RIGHT = SUM.replace('a - b', 'a + b');

/** What the scripted agent does, turn by turn. */
export type Script = object;

/** Corrects the sum at once. */
export const CORRECTS: Script = {
  steps: [{ write: { path: 'src/sum.mjs', content: RIGHT } }, { say: 'I corrected the sum.' }],
};
/** Never gets it right, whatever it is told; with the right hint it does. */
export const NEEDS_A_HINT: Script = {
  turns: [
    {
      when: 'use plus',
      steps: [{ write: { path: 'src/sum.mjs', content: RIGHT } }, { say: 'With plus it is right.' }],
    },
    {
      when: '',
      steps: [{ write: { path: 'src/other.mjs', content: 'export {};\n' } }, { say: 'Tried something.' }],
    },
  ],
};

/** A small repository with a red test, and the scripted agent to work on it. */
export function project(script: Script, config: object = {}): Place {
  const cwd = tempFolder();
  git(cwd, 'init', '-q', '-b', 'main');
  identify(cwd);
  write(cwd, {
    'package.json': { private: true, type: 'module', scripts: { test: 'node --test test/' } },
    'src/sum.mjs': SUM,
    'test/sum.test.mjs': TEST,
    '.gitignore': '.loopwright/\nnode_modules/\n',
  });
  commitAll(cwd, 'start');
  const file = join(cwd, '.loopwright/script.json');
  write(cwd, {
    '.loopwright/script.json': script,
    '.loopwright/config.json': {
      commands: { test: 'node --test test/' },
      workers: { Coder: { agent: 'scripted', conversation: 'fresh' } },
      ...config,
    },
  });
  return {
    cwd,
    env: {
      LOOPWRIGHT_SCRIPT: file,
      REPO_MODE: 'local-git',
      LLM_EXECUTOR: 'scripted',
      LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright/locks'),
    },
  };
}

/** Runs the goal to its end, and says which session it was. */
export async function ran(
  place: Place,
  goal = 'make sum add its numbers',
  ...options: readonly string[]
): Promise<string> {
  const { stdout } = await loopwright(['run', goal, ...options], place);
  return wholeId(/^session (\w+)$/m.exec(stdout)?.[1]);
}
