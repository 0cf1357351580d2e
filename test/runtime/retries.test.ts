import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, write } from '../cli/support.ts';
import { repository } from '../cli/workspace-support.ts';

interface Shown {
  readonly state: string;
  readonly attempts: number;
  readonly failureClass?: string;
  readonly waitsFor?: string;
  readonly waitsUntil?: number;
  readonly runs: readonly { readonly sessionId: string }[];
}

/** A project whose check never passes, and an agent that changes something else each time. */
function project(env: Record<string, string>) {
  const cwd = repository({
    'check.cjs': "console.error('the sum is wrong'); process.exit(1);\n",
    'a.txt': 'x\n',
  });
  const script = join(cwd, '.git/script.json');
  write(cwd, { '.git/script.json': { steps: [{ write: { path: 'a.txt', content: 'more\n' } }] } });
  const place = {
    cwd,
    env: {
      REPO_MODE: 'local-git',
      LLM_EXECUTOR: 'scripted',
      LOOPWRIGHT_SCRIPT: script,
      LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.loopwright', 'locks'),
      WORKER_VERIFY_RECOVERY_ATTEMPTS: '0',
      FAILED_TASK_RETRY_COOLDOWN_MS: '0',
      ...env,
    },
  };
  const add = async (title: string) => {
    const added = await loopwright(['task', 'add', title, '--command', 'node check.cjs', '--json'], place);
    return (JSON.parse(added.stdout) as { id: string }).id;
  };
  const show = async (id: string) =>
    JSON.parse((await loopwright(['task', 'show', id, '--json'], place)).stdout) as Shown;
  return { cwd, place, add, show };
}

describe('B-15 a task that needs rework', () => {
  it('is taken up by itself as often as its class allows, and told how it failed before', async () => {
    const { place, add, show } = project({ BLOCKED_TASK_RETRY_COOLDOWN_MS: '0' });
    const id = await add('make it right');
    await loopwright(['work', '--once'], place);
    const task = await show(id);
    expect(task).toMatchObject({ state: 'blocked', attempts: 4, failureClass: 'test' });
    expect(task.waitsUntil).toBeUndefined();
    expect(task.waitsFor).toContain('a person');
    const last = task.runs.at(-1)?.sessionId ?? '';
    const { stdout: prompt } = await loopwright(['show', last, '--step', '2'], place);
    expect(prompt).toMatch(/attempt 3 of this task \(test\)[^]*the sum is wrong/);
    expect(prompt).toMatch(/attempt 2 of this task \(test\)/);
    const page = (await loopwright(['task', 'show', id], place)).stdout;
    expect(page).toContain('verification_failed (test)');
  });

  it('rests before that, and no more often than a task may be retried altogether', async () => {
    const { place, add, show } = project({ BLOCKED_TASK_RETRY_COOLDOWN_MS: '60000' });
    const id = await add('make it right');
    await loopwright(['work', '--once'], place);
    const resting = await show(id);
    expect(resting).toMatchObject({ attempts: 1, waitsFor: 'its next attempt, after a rest' });
    expect(resting.waitsUntil).toBeGreaterThan(Date.now());
    const never = { ...place, env: { ...place.env, FAILED_TASK_MAX_RETRY_COUNT: '0' } };
    const other = await add('never again');
    await loopwright(['work', '--once'], never);
    expect((await show(other)).waitsUntil).toBeUndefined();
  });

  it('a service that is down is waited for by that name, in lists, on pages and in JSON', async () => {
    const { place, add, show, cwd } = project({});
    write(cwd, { '.git/script.json': { steps: [{ fail: { kind: 'overloaded', message: 'busy' } }] } });
    const id = await add('later');
    await loopwright(['work', '--once'], place);
    const task = await show(id);
    expect(task).toMatchObject({
      state: 'blocked',
      waitCause: 'outage',
      waitsFor: 'the service of scripted',
    });
    const said = async (...words: string[]) => (await loopwright(words, place)).stdout;
    expect(await said('task', 'list')).toContain('blocked (quota_wait: outage)');
    expect(await said('task', 'show', id)).toContain('the service of scripted');
    expect(await said('show', task.runs[0]?.sessionId ?? '')).toMatch(/parked until .*, for the service/);
  });

  it('an agent that is not logged in is not tried four times', async () => {
    const { place, add, show, cwd } = project({ BLOCKED_TASK_RETRY_COOLDOWN_MS: '0' });
    write(cwd, { '.git/script.json': { steps: [{ auth: 'not logged in' }] } });
    const id = await add('log in');
    await loopwright(['work', '--once'], place);
    expect(await show(id)).toMatchObject({ state: 'failed', attempts: 1, failureClass: 'permission' });
  });
});
