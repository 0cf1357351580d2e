import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { appears, jsonLines, loopwright, type Started, start, tempFolder, write } from './support.ts';
import { commitAll, document, flow, read, repository, sessionIn } from './workspace-support.ts';

/** A session that runs until `first.go` is written. */
async function holder(
  args: readonly string[] = [],
  config: object = {},
): Promise<{ cwd: string; control: string; first: Started; id: string }> {
  const cwd = repository();
  const control = tempFolder();
  write(cwd, {
    'slow.json': flow(['wait', control, 'first'], ['write', 'a.txt', 'first\n']),
    'quick.json': flow(['write', 'a.txt', 'second\n']),
  });
  commitAll(cwd, 'workflows');
  // Before it begins: what steers a session may not change while it runs.
  write(cwd, { '.loopwright/config.json': config });
  const first = start(['run', 'first', '-w', 'slow.json', '--plan', 'src/api/**', 'a.txt', ...args], { cwd });
  await appears(control, 'first.started');
  const [session] = await document<{ id: string }[]>(['sessions'], cwd);
  return { cwd, control, first, id: session?.id ?? '' };
}

const second = (cwd: string, ...args: readonly string[]): Started =>
  start(['run', 'second', '-w', 'quick.json', ...args], { cwd });

const statusOf = async (cwd: string, id: string): Promise<string> =>
  (await document<{ status: string }>(['show', id], cwd)).status;

describe('two sessions that mean to change the same files', () => {
  it('B-02 B-03 the second says which file of which session it waits for, and starts by itself', async () => {
    const { cwd, control, first, id } = await holder();
    const other = second(cwd, '--plan', 'src/api/users.ts');
    await other.saw(`src/api/users.ts is planned by session ${shortId(id)}`);
    const waiting = await document<{ sessions: { id: string; status: string }[]; conflicts: object[] }>(
      ['conflicts'],
      cwd,
    );
    expect(waiting.sessions.map(({ status }) => status)).toEqual(['active', 'waiting']);
    expect(waiting.conflicts).toEqual([
      {
        between: waiting.sessions.map(({ id: each }) => ({ kind: 'session', id: each })),
        path: 'src/api/users.ts',
      },
    ]);
    writeFileSync(join(control, 'first.go'), '');
    const [one, two] = await Promise.all([first.ended, other.ended]);
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(await document(['conflicts'], cwd)).toEqual({ sessions: [], conflicts: [] });
  });

  it('B-03 sessions without a clash run side by side', async () => {
    const { cwd, control, first } = await holder();
    expect((await second(cwd, '--plan', 'docs/**').ended).code).toBe(0);
    writeFileSync(join(control, 'first.go'), '');
    expect((await first.ended).code).toBe(0);
  });

  it('--no-wait ends with exit code 2; resume continues when the way is free', async () => {
    const { cwd, control, first, id } = await holder();
    const gaveUp = await second(cwd, '--plan', 'a.txt', '--no-wait').ended;
    expect(gaveUp.code).toBe(2);
    expect(gaveUp.stdout).toContain(`a.txt is planned by session ${shortId(id)}`);
    expect(gaveUp.stdout).not.toContain('making a worktree');
    const waiting = sessionIn(gaveUp.stdout);
    expect(gaveUp.stdout).toContain(`resume ${shortId(waiting)}`);
    expect(await statusOf(cwd, waiting)).toBe('waiting');
    const still = await loopwright(['resume', waiting, '--no-wait'], { cwd });
    expect(still.code).toBe(2);
    writeFileSync(join(control, 'first.go'), '');
    await first.ended;
    expect((await loopwright(['resume', waiting], { cwd })).code).toBe(0);
    expect(read(join(cwd, '.loopwright/worktrees', waiting), 'a.txt')).toBe('second\n');
  });

  it('B-03 nothing is made for a session that waits; its worktree is made from the base as it is at its turn', async () => {
    const { cwd, control, first, id } = await holder([], {
      worktrees: { setup: [['node', '-e', "require('fs').writeFileSync('set-up', '')"]] },
    });
    const other = second(cwd, '--plan', 'a.txt', '--json');
    await other.saw('session.waiting');
    const [, waiting] = (await document<{ sessions: { id: string }[] }>(['conflicts'], cwd)).sessions;
    const worktree = join(cwd, '.loopwright/worktrees', waiting?.id ?? '');
    expect(existsSync(worktree)).toBe(false);
    // Killed while it waits, it waits again, and nothing is lost of its place.
    other.child.kill('SIGKILL');
    await other.ended;
    const refused = await loopwright(['diff', waiting?.id ?? ''], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has no files yet')]);
    const again = start(['resume', waiting?.id ?? ''], { cwd });
    await again.saw(`a.txt is planned by session ${shortId(id)}`);
    expect(existsSync(worktree)).toBe(false);
    write(cwd, { 'meanwhile.txt': 'from the base\n' });
    commitAll(cwd, 'meanwhile');
    writeFileSync(join(control, 'first.go'), '');
    expect((await first.ended).code).toBe(0);
    expect((await again.ended).code).toBe(0);
    expect(read(worktree, 'a.txt')).toBe('second\n');
    expect(read(worktree, 'meanwhile.txt')).toBe('from the base\n');
    expect(existsSync(join(worktree, 'set-up'))).toBe(true);
    const changed = await loopwright(['diff', waiting?.id ?? ''], { cwd });
    expect([changed.code, changed.stdout]).toEqual([0, expect.stringContaining('+second')]);
    expect(changed.stdout).not.toContain('meanwhile');
    expect(existsSync(join(cwd, '.loopwright/unmade', `${waiting?.id}.json`))).toBe(false);
  });

  it('B-03 of those that wait, the lower priority number goes first', async () => {
    const { cwd, control, first, id } = await holder();
    write(cwd, {
      'late.json': flow(['wait', control, 'late']),
      'early.json': flow(['wait', control, 'early']),
    });
    const late = start(['run', 'late', '-w', 'late.json', '--plan', 'a.txt', '--priority', '7'], { cwd });
    await late.saw(`planned by session ${shortId(id)}`);
    const early = start(['run', 'early', '-w', 'early.json', '--plan', 'a.txt', '--priority', '3'], { cwd });
    await early.saw(`planned by session ${shortId(id)}`);
    writeFileSync(join(control, 'first.go'), '');
    await appears(control, 'early.started');
    expect(existsSync(join(control, 'late.started'))).toBe(false);
    writeFileSync(join(control, 'early.go'), '');
    await appears(control, 'late.started');
    writeFileSync(join(control, 'late.go'), '');
    const ends = await Promise.all([first.ended, early.ended, late.ended]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    const wrong = await second(cwd, '--priority', 'high').ended;
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is not a priority')]);
  });

  it('a wait that will not end by itself says so: the other one is halted, or its process is dead', async () => {
    const cwd = repository();
    write(cwd, { 'bad.json': flow(['fail']), 'quick.json': flow(['write', 'a.txt', 'x\n']) });
    const halted = await loopwright(['run', 'bad', '-w', 'bad.json', '--plan', 'a.txt'], { cwd });
    expect(halted.code).toBe(2);
    const one = await second(cwd, '--plan', 'a.txt', '--no-wait').ended;
    expect(one.stdout).toContain('will not end by itself: it is halted');
    expect((await loopwright(['abort', sessionIn(halted.stdout)], { cwd })).code).toBe(0);
    expect((await loopwright(['resume', sessionIn(one.stdout)], { cwd })).code).toBe(0);

    const { cwd: there, first, id } = await holder();
    first.child.kill('SIGKILL');
    await first.ended;
    const two = await second(there, '--plan', 'a.txt', '--no-wait').ended;
    expect([two.code, two.stdout]).toEqual([
      2,
      expect.stringContaining('will not end by itself: its process is dead'),
    ]);
    // Ends the command that the killed owner left running, too.
    expect((await loopwright(['abort', id], { cwd: there })).code).toBe(0);
  });

  it('a session that gave up waiting keeps its place, and whoever comes after it learns that nobody runs it', async () => {
    const { cwd, control, first } = await holder();
    const gaveUp = sessionIn((await second(cwd, '--plan', 'a.txt', '--no-wait').ended).stdout);
    writeFileSync(join(control, 'first.go'), '');
    await first.ended;
    const third = await second(cwd, '--plan', 'a.txt', '--no-wait').ended;
    expect([third.code, third.stdout]).toEqual([
      2,
      expect.stringContaining(
        `session ${shortId(gaveUp)}, and will not end by itself: it is waiting and nobody runs it`,
      ),
    ]);
    expect((await loopwright(['abort', gaveUp], { cwd })).code).toBe(0);
    expect((await loopwright(['resume', sessionIn(third.stdout)], { cwd })).code).toBe(0);
  });

  it('a session that had its turn continues, although one with a better priority waits for it', async () => {
    const cwd = repository();
    write(cwd, {
      'w.json': flow(['fail'], ['write', 'a.txt', 'x\n']),
      'quick.json': flow(['write', 'a.txt', 'y\n']),
    });
    commitAll(cwd, 'workflows');
    const halted = await loopwright(['run', 'x', '-w', 'w.json', '--plan', 'a.txt'], { cwd });
    const id = sessionIn(halted.stdout);
    const urgent = second(cwd, '--plan', 'a.txt', '--priority', '1');
    await urgent.saw(`a.txt is planned by session ${shortId(id)}, and will not end by itself: it is halted`);
    expect((await loopwright(['resume', id], { cwd })).code).toBe(0);
    expect((await urgent.ended).code).toBe(0);
  });

  it('of two that were at work before they clashed, the first continues and the second waits for it', async () => {
    const cwd = repository();
    const control = tempFolder();
    write(cwd, { 'w.json': flow(['write', 'x.ts', '1'], ['fail'], ['wait', control, 'go']) });
    commitAll(cwd, 'workflow');
    const ids: string[] = [];
    for (const goal of ['a', 'b']) {
      const ended = await loopwright(['run', goal, '-w', 'w.json'], { cwd });
      ids.push(sessionIn(ended.stdout));
    }
    const [a = '', b = ''] = ids;
    const later = await loopwright(['resume', b, '--no-wait'], { cwd });
    expect([later.code, later.stdout]).toEqual([
      2,
      expect.stringContaining(`x.ts is planned by session ${shortId(a)}`),
    ]);
    const earlier = start(['resume', a], { cwd });
    await appears(control, 'go.started');
    const waits = start(['resume', b], { cwd });
    await waits.saw(`x.ts is planned by session ${shortId(a)}`);
    writeFileSync(join(control, 'go.go'), '');
    const ends = await Promise.all([earlier.ended, waits.ended]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  });

  it('Ctrl-C while waiting leaves a session that can be resumed', async () => {
    const { cwd, control, first, id } = await holder();
    const other = second(cwd, '--plan', 'a.txt', '--json');
    await other.saw('session.waiting');
    other.child.kill('SIGINT');
    const { code, stdout } = await other.ended;
    expect(code).toBe(130);
    expect(jsonLines(stdout).at(-1)).toMatchObject({
      status: 'halted',
      halt: { reason: 'interrupted' },
      used: { steps: 0 },
    });
    const { session } = jsonLines(stdout).at(-1) as { session: string };
    expect(session).not.toBe(id);
    writeFileSync(join(control, 'first.go'), '');
    expect((await first.ended).code).toBe(0);
    expect((await loopwright(['resume', session], { cwd })).code).toBe(0);
  });

  it('WRK-22 what a session really changed joins its plan, and everybody who clashes is reported', async () => {
    const cwd = repository();
    write(cwd, {
      'w.json': flow(['write', 'x.ts', '1'], ['fail']),
      'v.json': flow(['write', 'x.ts', '2'], ['fail']),
    });
    commitAll(cwd, 'workflows');
    const a = sessionIn((await loopwright(['run', 'a', '-w', 'w.json'], { cwd })).stdout);
    const b = sessionIn((await loopwright(['run', 'b', '-w', 'v.json'], { cwd })).stdout);
    const { conflicts } = await document<{ conflicts: object[] }>(['conflicts'], cwd);
    expect(conflicts).toEqual([
      { between: [a, b].sort().map((id) => ({ kind: 'session', id })), path: 'x.ts' },
    ]);
    const { stdout } = await loopwright(['conflicts'], { cwd });
    expect(stdout).toMatch(new RegExp(`${shortId(a)} +active +100 +x.ts with ${shortId(b)}`));
    expect(stdout).toMatch(new RegExp(`${shortId(b)} +active +100 +x.ts with ${shortId(a)}`));
  });

  it('WRK-21 WRK-22 files that a worker identifies join the plan of its session, as the repository names them', async () => {
    const cwd = repository();
    const project = join(cwd, 'pkg');
    const blocks = {
      Find: { worker: 'Agent', transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Plan' }] },
      Plan: {
        worker: 'Internal:UpdateChangePlan',
        transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'HALT_AND_FLAG' }],
      },
    };
    const answer = { segments: [{ type: 'NEW_FILES_IDENTIFIED', content: ['x.ts', 'src/y.ts'] }] };
    write(project, {
      'w.json': {
        nodes: { Main: { entry_block: 'Find', blocks } },
        workers: { Agent: { command: ['node', 'agent.mjs'] } },
      },
      'agent.mjs': `process.stdout.write(${JSON.stringify(JSON.stringify(answer))});`,
    });
    commitAll(cwd, 'a package');
    const run = (...args: string[]) => loopwright(['run', 'x', '-w', 'w.json', ...args], { cwd: project });
    const first = await run();
    const second = await run('--plan', 'x.ts', '--no-wait');
    expect([first.code, second.code]).toEqual([2, 2]);
    expect(second.stdout).toContain(`pkg/x.ts is planned by session ${shortId(sessionIn(first.stdout))}`);
  });

  it('a plan that names something outside the repository is refused', async () => {
    const cwd = repository();
    const refused = await loopwright(['run', 'x', '-w', 'w.json', '--plan', '../other'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('cannot be part of a change plan'),
    ]);
    expect(await document(['sessions'], cwd)).toEqual([]);
  });
});
