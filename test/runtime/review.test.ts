import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';

/** A project with a check that passes once the agent has done its work. */
function project(env: Record<string, string> = {}) {
  const cwd = repository({ 'a.txt': 'x\n', 'check.cjs': CHECK });
  write(cwd, { '.git/script.json': { steps: [{ write: { path: 'a.txt', content: 'y\n' } }] } });
  const place = {
    cwd,
    env: {
      REPO_MODE: 'local-git',
      LLM_EXECUTOR: 'scripted',
      LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
      LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
      ...env,
    },
  };
  const result = async (...words: string[]) => {
    const added = await loopwright(['task', 'add', 'change a', '--json', ...words], place);
    const { id } = JSON.parse(added.stdout) as { id: string };
    await loopwright(['work', '--once', ...role(words)], place);
    const shown = JSON.parse((await loopwright(['task', 'show', id, '--json'], place)).stdout) as Shown;
    return { state: shown.blockReason ?? shown.state, id };
  };
  return { cwd, result };
}

const CHECK = "process.exit(require('node:fs').readFileSync('a.txt', 'utf8') === 'y\\n' ? 0 : 1);\n";
const PROVEN = ['--command', 'node check.cjs'];

interface Shown {
  readonly state: string;
  readonly blockReason?: string;
}

function role(words: readonly string[]): string[] {
  const at = words.indexOf('--role');
  return at === -1 ? [] : ['--role', words[at + 1] ?? ''];
}

describe('ST-01 ST-03 who reviews what was delivered', () => {
  it('is a person where nobody says otherwise', async () => {
    expect((await project().result(...PROVEN)).state).toBe('awaiting_judge');
  });

  it.each([
    ['the project', { TASK_REVIEW: 'none' }, [], 'done'],
    ['the role', { TESTER_REVIEW: 'none' }, ['--role', 'tester'], 'done'],
    ['another role', { TESTER_REVIEW: 'none' }, [], 'awaiting_judge'],
    ['the role, against the project', { TASK_REVIEW: 'none', WORKER_REVIEW: 'person' }, [], 'awaiting_judge'],
    ['the task', {}, ['--review', 'none'], 'done'],
    ['the task, against the project', { TASK_REVIEW: 'none' }, ['--review', 'person'], 'awaiting_judge'],
  ] as const)('%s says it: %j %j, it is %s', async (_who, env, words, state) => {
    const { cwd, result } = project(env);
    const end = await result(...PROVEN, ...words);
    expect(end.state).toBe(state);
    expect(git(cwd, 'show', `loopwright/task/${end.id}:a.txt`)).toBe('y');
  });

  it('work that no check has proven waits for a person all the same', async () => {
    expect((await project({ TASK_REVIEW: 'none' }).result()).state).toBe('awaiting_judge');
  });
});
