import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, write } from '../cli/support.ts';
import { git, repository } from '../cli/workspace-support.ts';

function project() {
  const cwd = repository({ 'a.txt': 'before\n' });
  write(cwd, { '.git/script.json': { steps: [{ write: { path: 'a.txt', content: 'after\n' } }] } });
  const env = {
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, '.git/script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
  };
  return { cwd, env };
}

describe('the repository mode', () => {
  it('CFG-07 without an address the start is refused in github mode, and no task loses an attempt', async () => {
    const place = project();
    const empty = await loopwright(['work', '--once'], place);
    expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('REPO_URL is not set')]);
    await loopwright(['task', 'add', 'one'], place);
    const { code, stderr } = await loopwright(['work', '--once'], place);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/REPO_URL[^]*local-git/)]);
    expect(JSON.parse((await loopwright(['task', 'list', '--json'], place)).stdout)).toMatchObject([
      { state: 'queued', attempts: 0 },
    ]);
  });

  it('tasks that name another mode are worked off all the same', async () => {
    const place = project();
    await loopwright(['task', 'add', 'in place', '--mode', 'direct'], place);
    expect((await loopwright(['work', '--once'], place)).code).toBe(0);
    expect(readFileSync(join(place.cwd, 'a.txt'), 'utf8')).toBe('after\n');
  });

  it('a verdict goes by the mode in which the task was worked, not by what is configured now', async () => {
    const place = project();
    await loopwright(['task', 'add', 'change a', '--command', 'git --version'], place);
    const work = { ...place, env: { ...place.env, REPO_MODE: 'local-git' } };
    expect((await loopwright(['work', '--once'], work)).stdout).toContain('awaiting_judge');
    const [task] = JSON.parse((await loopwright(['task', 'list', '--json'], place)).stdout) as {
      id: string;
    }[];
    const { stdout } = await loopwright(['judge', task?.id ?? '', 'approve'], place);
    expect(stdout).toMatch(/is done: [0-9a-f]{12} on /);
    expect(git(place.cwd, 'show', 'HEAD:a.txt')).toBe('after');
  });
});
