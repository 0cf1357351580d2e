import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loopwright, start, tempFolder, write } from '../cli/support.ts';
import { git, identify } from '../cli/workspace-support.ts';
import { rowsOf } from '../tasks/rows.ts';

/** A project in `cwd` whose agent plays a script that lies elsewhere. */
function project(cwd: string, settings: Record<string, string> = {}) {
  const desk = tempFolder();
  const env = {
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(desk, 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(desk, 'locks'),
    FAILED_TASK_RETRY_COOLDOWN_MS: '1',
    ...settings,
  };
  const place = { cwd, env };
  return {
    place,
    plays: (script: object) => write(desk, { 'script.json': script }),
    add: async (title: string, ...more: string[]) => {
      const command = ['--command', 'node -e ""'];
      const { stdout } = await loopwright(['task', 'add', title, '--json', ...command, ...more], place);
      return (JSON.parse(stdout) as { id: string }).id;
    },
    show: async (id: string) => {
      const { stdout } = await loopwright(['task', 'show', id, '--json'], place);
      return JSON.parse(stdout) as {
        state: string;
        blockReason?: string;
        failureCode?: string;
        attempts: number;
        events: { state: string; reason: string }[];
      };
    },
  };
}

describe('faults while a runtime is at work', () => {
  it('a full disk is reported, nothing is lost, and the tasks continue when there is room again', async ({
    skip,
  }) => {
    const disk = tempFolder();
    // Root in a container may not mount either.
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk], { stdio: 'ignore' });
    if (mounted.status !== 0) skip('nothing can be mounted here');
    onTestFinished(() => void spawnSync('umount', ['-l', disk]));
    const cwd = join(disk, 'project');
    mkdirSync(cwd);
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd });
    identify(cwd);
    write(cwd, { 'a.txt': 'one\n' });
    git(cwd, 'add', '.');
    git(cwd, 'commit', '-qm', 'start');
    const { place, plays, add, show } = project(cwd, { REPO_MODE: 'local-git', TASK_LEASE_SECONDS: '2' });
    const ballast = join(disk, 'ballast');
    // The agent itself takes all the room there is.
    plays({ steps: [{ write: { path: ballast, content: 'x'.repeat(12 << 20) } }] });
    const ids = [await add('first'), await add('second')];
    const work = start(['work'], place);
    await work.saw('it could not be recorded: ');
    plays({ steps: [{ write: { path: 'b.txt', content: 'b\n' } }, { say: 'ok' }] });
    rmSync(ballast);
    for (const id of ids) await work.saw(`${id.slice(-6)}  blocked (awaiting_judge)`);
    work.child.kill('SIGTERM');
    const { stdout } = await work.ended;
    expect(stdout).toMatch(/could not be recorded: .*loopwright\.db cannot be written/);
    for (const id of ids) {
      expect(await show(id)).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
      expect(git(cwd, 'show', `loopwright/task/${id}:b.txt`)).toBe('b');
      expect(git(cwd, 'rev-list', '--count', `main..loopwright/task/${id}`)).toBe('1');
    }
    expect(git(cwd, 'fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('RUN-21 an agent that hangs is ended when the time of the task is up; unchanged files are not called done', async () => {
    const cwd = tempFolder();
    const { place, plays, add, show } = project(cwd, {
      REPO_MODE: 'direct',
      LOCAL_REPO_PATH: cwd,
      WORKER_NO_CHANGE_RECOVERY_ATTEMPTS: '1',
    });
    // The shortest timebox is a minute; the project's own flow may give less.
    const flow = JSON.parse(readFileSync('workflows/direct-task.json', 'utf8')) as Flow;
    flow.nodes.Work.blocks.Implement.with = { minutes: 0.02 };
    flow.nodes.NoChange.blocks.Retry.with = { minutes: 0.02 };
    write(cwd, { '.loopwright/flows/direct-task.json': flow });
    const steps = [{ write: { path: 'b', content: 'b' } }];
    plays({ turns: [{ when: 'Task: the next', steps }, { steps: [{ hang: {} }] }] });
    const id = await add('hangs');
    const next = await add('the next');
    const { stdout } = await loopwright(['work', '--once'], place);
    expect(stdout).toMatch(/Implement TIMED_OUT[^]*Retry TIMED_OUT[^]*blocked \(needs_rework\)/);
    const told = await show(id);
    expect(told).toMatchObject({ state: 'blocked', failureCode: 'no_actionable_changes' });
    expect(told.events.at(-1)?.reason).toContain('no run of the agent came to its end by itself');
    expect((await show(next)).state).toBe('done');
  });

  it('RUN-21 what an agent did before its time was up is verified and counts', async () => {
    const cwd = tempFolder();
    const { place, plays, add, show } = project(cwd, { REPO_MODE: 'direct', LOCAL_REPO_PATH: cwd });
    const flow = JSON.parse(readFileSync('workflows/direct-task.json', 'utf8')) as Flow;
    flow.nodes.Work.blocks.Implement.with = { minutes: 0.02 };
    write(cwd, { '.loopwright/flows/direct-task.json': flow });
    plays({ steps: [{ write: { path: 'b', content: 'b' } }, { hang: {} }] });
    const id = await add('hangs at the end');
    expect((await loopwright(['work', '--once'], place)).stdout).toContain('Implement TIMED_OUT');
    expect((await show(id)).state).toBe('done');
  });

  it('a wall clock that jumps back neither loses a lease that is held nor gives it to a second runtime', async () => {
    const cwd = tempFolder();
    const skew = join(cwd, 'skew');
    const { place, plays, add, show } = project(cwd, {
      REPO_MODE: 'direct',
      LOCAL_REPO_PATH: cwd,
      TASK_LEASE_SECONDS: '1',
      SKEW_FILE: skew,
      NODE_OPTIONS: `--import ${new URL('./skewed-clock.mjs', import.meta.url).href}`,
    });
    const id = await add('held', '--allow', 'b');
    plays({ steps: [{ say: 'thinking' }, { hang: {} }] });
    const [first, second] = [start(['work', '--json'], place), start(['work', '--json'], place)];
    const holder = await Promise.race([
      first.saw('thinking').then(() => first),
      second.saw('thinking').then(() => second),
    ]);
    const other = holder === first ? second : first;
    const beat = () =>
      rowsOf<{ beat: number }>(join(cwd, '.loopwright'), 'select beat from lease')[0]?.beat ?? -1;
    writeFileSync(skew, '-3600000');
    // Longer than the lease by any clock: it is renewed three times in that time.
    const then = beat();
    await vi.waitUntil(() => beat() >= then + 6, { timeout: 600_000, interval: 50 });
    expect((await show(id)).events.map(({ state }) => state)).toEqual(['queued', 'running']);
    // And one that is really lost is not kept for the hour that the clock went back.
    plays({ steps: [{ write: { path: 'b', content: 'b' } }, { say: 'ok' }] });
    holder.child.kill('SIGKILL');
    await other.saw('"counted":true');
    other.child.kill('SIGTERM');
    await other.ended;
    const { state, events } = await show(id);
    expect(state).toBe('done');
    expect(events.filter((event) => event.state === 'running')).toHaveLength(2);
  });

  it('a damaged database is named with what to do, whoever meets it', async () => {
    const cwd = tempFolder();
    const { place, add } = project(cwd, { REPO_MODE: 'direct', LOCAL_REPO_PATH: cwd });
    const id = await add('lost');
    write(cwd, { '.loopwright/loopwright.db': 'no database at all '.repeat(999) });
    for (const args of [
      ['work', '--once'],
      ['task', 'list'],
      ['board'],
      ['show', id],
      ['judge', id, 'approve'],
    ]) {
      const { code, stderr } = await loopwright(args, place);
      expect([args[0], code, stderr]).toEqual([
        args[0],
        1,
        expect.stringMatching(/loopwright\.db is damaged: .*\nnext: Move it aside/),
      ]);
    }
  });

  it('a database that another process holds is named, nothing is changed, and a runtime that waits for it continues', async () => {
    const cwd = tempFolder();
    const { place, plays, add, show } = project(cwd, { REPO_MODE: 'direct', LOCAL_REPO_PATH: cwd });
    plays({ steps: [{ write: { path: 'b', content: 'b' } }] });
    const id = await add('waits');
    const holder = new Libsql(join(cwd, '.loopwright', 'loopwright.db'));
    onTestFinished(() => void holder.close());
    holder.exec('begin immediate');
    const work = start(['work', '--once'], place);
    const { code, stderr } = await loopwright(['task', 'add', 'refused'], place);
    expect(code).toBe(1);
    expect(stderr).toMatch(/loopwright\.db is locked by another process for too long\.\nnext: Find out who/);
    holder.exec('rollback');
    expect((await work.ended).stdout).toContain('1 done');
    expect((await show(id)).state).toBe('done');
    expect(
      JSON.parse((await loopwright(['task', 'list', '--all', '--json'], place)).stdout).tasks,
    ).toHaveLength(1);
  });
});

interface Flow {
  nodes: {
    Work: { blocks: { Implement: { with?: object } } };
    NoChange: { blocks: { Retry: { with?: object } } };
  };
}
