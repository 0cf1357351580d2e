import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { BY_ENGINE, withOrigin } from '../../src/manifest/origin.ts';
import { SessionManager } from '../../src/orchestrator/state/session-manager.ts';
import { SUSPICIOUS_CHANGE } from '../../src/verification/suspicious/segment.ts';
import { loopwright, start, write } from '../cli/support.ts';
import { commitAll, git, repository } from '../cli/workspace-support.ts';

const file = (path: string, content: string) => ({ write: { path, content } });

/** A repository with one task; its agent plays `steps`, and `again` when it is given notes. */
async function project(steps: object[], again: object[] = []) {
  const cwd = repository({ 'a.txt': 'one\n', 'check.mjs': '' });
  write(cwd, { '.git/script.json': { turns: [{ when: '# HUMAN_GUIDANCE', steps: again }, { steps }] } });
  const env = {
    REPO_MODE: 'local-git',
    LLM_EXECUTOR: 'scripted',
    LOOPWRIGHT_SCRIPT: join(cwd, '.git', 'script.json'),
    LOOPWRIGHT_TASK_LOCK_DIR: join(cwd, '.git', 'locks'),
  };
  const run = (...args: string[]) => loopwright(args, { cwd, env });
  const added = await run('task', 'add', 't', '--command', 'node check.mjs', '--json');
  const { id } = JSON.parse(added.stdout) as { id: string };
  const folder = join(cwd, '.loopwright', 'worktrees', `task-${id}`);
  return { cwd, env, run, id, folder, branch: `loopwright/task/${id}` };
}

describe('a verdict', () => {
  it('rework is refused where nothing waits for a verdict, with what to do instead', async () => {
    const { run, id } = await project([file('b.txt', 'b\n')]);
    const queued = await run('judge', id, 'rework', 'better');
    expect([queued.code, queued.stderr]).toEqual([1, expect.stringContaining('it is queued')]);
    await run('task', 'cancel', id);
    const cancelled = await run('judge', id, 'rework', 'better');
    expect([cancelled.code, cancelled.stderr]).toEqual([1, expect.stringContaining('it is cancelled')]);
    expect(cancelled.stderr).toContain(`task requeue ${shortId(id)} --notes`);
    await run('task', 'requeue', id);
    await run('work', '--once');
    expect((await run('judge', id, 'approve')).code).toBe(0);
    const done = await run('judge', id, 'rework', 'better');
    expect([done.code, done.stderr]).toEqual([1, expect.stringContaining('it is done')]);
    expect((await run('task', 'list', '--all', '--json')).stdout).toContain('"state":"done"');
  });

  it('work and show name what is next; diff shows its work in its folder, on its branch and after it was accepted', async () => {
    const { run, id, cwd, folder } = await project([file('b.txt', 'b\n')]);
    const early = await run('diff', id);
    expect([early.code, early.stderr]).toEqual([
      1,
      expect.stringContaining('has no files yet: it is queued'),
    ]);
    const worked = await run('work', '--once');
    expect(worked.stdout).toMatch(
      new RegExp(
        `next: see what it changed\\n.* diff ${shortId(id)}\\n[^]* accept ${shortId(id)}\\n[^]* judge ${shortId(id)} rework`,
      ),
    );
    expect((await run('show', id)).stdout).toMatch(new RegExp(` accept ${shortId(id)}\\n`));
    const said = async (...args: string[]) => (await run('diff', id, ...args)).stdout;
    expect(await said()).toMatch(
      new RegExp(`\\+b\\nadded {4}b\\.txt {2}\\+1 -0\\nnext: .* judge ${shortId(id)} approve\\n`),
    );
    write(folder, { 'c.txt': 'c\n' });
    expect(await said('--stat')).toContain('added    c.txt');
    git(folder, 'clean', '-qf');
    await run('accept', id);
    expect([existsSync(folder), await said('--stat')]).toEqual([
      false,
      expect.stringMatching(
        new RegExp(`added {4}b\\.txt[^]*delivered to main as \\w{12}[^]*next: .* undo ${shortId(id)}\\n`),
      ),
    ]);
    const step = await run('diff', id, '--step', '1');
    expect([step.code, step.stderr]).toEqual([1, expect.stringContaining('Steps are those of a session')]);
    expect(git(cwd, 'show', 'main:b.txt')).toBe('b');
  });

  it('undo takes what a task delivered out again, and accepting it works once more', async () => {
    const { cwd, run, id } = await project([file('b.txt', 'b\n')]);
    await run('work', '--once');
    await run('accept', id);
    const undone = await run('undo', id);
    expect([undone.code, undone.stdout]).toEqual([0, expect.stringContaining('Undone: 1 file, +0 -1')]);
    expect(undone.stdout).toContain(`Task ${shortId(id)} waits for your verdict again`);
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
    const story = JSON.parse((await run('task', 'show', id, '--json')).stdout);
    expect(story).toMatchObject({ state: 'blocked', blockReason: 'awaiting_judge' });
    expect(story.events.at(-1)).toMatchObject({
      state: 'blocked',
      reason: expect.stringMatching(/^undone by a person: taken out of main again as \w{12}$/),
    });
    const repeated = JSON.parse((await run('undo', id, '--json')).stdout);
    expect(repeated).toMatchObject({ kind: 'already-undone', awaitsVerdict: true });
    expect((await run('accept', id)).code).toBe(0);
    expect(git(cwd, 'show', 'main:b.txt')).toBe('b');
    const again = await run('accept', id);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is done already')]);
  });

  it('what was undone can be reworked, and who needs it waits for it again', async () => {
    const { cwd, run, id } = await project([file('b.txt', 'b\n')], [file('b.txt', 'better\n')]);
    await run('work', '--once');
    await run('accept', id);
    const added = await run('task', 'add', 'next', '--needs', id, '--allow', 'c.txt', '--json');
    const { id: next } = JSON.parse(added.stdout);
    await run('undo', id);
    const held = await run('work', '--once');
    expect(held.stdout).toContain('Nothing could be started.');
    expect((await run('judge', id, 'rework', 'better')).code).toBe(0);
    await run('task', 'cancel', next);
    await run('work', '--once');
    expect((await run('accept', id)).code).toBe(0);
    expect(git(cwd, 'show', 'main:b.txt')).toBe('better');
  });

  it('accept takes a task as it takes a session, once', async () => {
    const { cwd, run, id } = await project([file('b.txt', 'b\n')]);
    const early = await run('accept', id);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('does not wait for a verdict')]);
    await run('work', '--once');
    const accepted = await run('accept', id, '--json');
    expect(JSON.parse(accepted.stdout)).toMatchObject({ kind: 'accepted', session: id, base: 'main' });
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('b\n');
    const again = await run('accept', id);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('is done already')]);
  });

  it('rework begins from the base as it is now, and a story names a product once', async () => {
    const { cwd, run, id, branch } = await project([file('b.txt', 'b\n')], [file('b.txt', 'better\n')]);
    await run('work', '--once');
    write(cwd, { 'main.txt': 'new on main\n' });
    commitAll(cwd, 'main goes on');
    await run('judge', id, 'rework', 'better');
    const { stdout } = await run('work', '--once');
    expect(stdout).toContain('main has moved: the work of the task was brought to where it is now');
    expect(git(cwd, 'merge-base', 'main', branch)).toBe(git(cwd, 'rev-parse', 'main'));
    expect(git(cwd, 'show', `${branch}:main.txt`)).toBe('new on main');
    expect(git(cwd, 'show', `${branch}:b.txt`)).toBe('better');
    const story = (await run('show', id)).stdout;
    expect(story.match(/^ {2}branch /gm)).toHaveLength(1);
    expect(story.match(/^attempt \d/gm)).toHaveLength(2);
    expect((await run('judge', id, 'approve')).code).toBe(0);
    expect(git(cwd, 'show', 'main:b.txt')).toBe('better');
  });

  it('where the base has moved against the work, a rework continues from where it was and says so', async () => {
    const { cwd, run, id, branch } = await project([file('a.txt', 'two\n')], [file('c.txt', 'c\n')]);
    await run('work', '--once');
    const before = git(cwd, 'rev-parse', 'main');
    write(cwd, { 'a.txt': 'three\n' });
    commitAll(cwd, 'the same line');
    await run('judge', id, 'rework', 'more');
    const { stdout } = await run('work', '--once');
    expect(stdout).toContain('its work cannot be brought along without a conflict');
    expect(stdout).toContain('blocked (awaiting_judge)');
    expect(git(cwd, 'merge-base', 'main', branch)).toBe(before);
    expect(git(cwd, 'show', `${branch}:a.txt`)).toBe('two');
    expect(git(cwd, 'show', `${branch}:c.txt`)).toBe('c');
  });
});

describe('the session of a task', () => {
  it('is left to the backlog by every command that would change it, with its task named', async () => {
    const { cwd, run, id, branch } = await project([file('b.txt', 'b\n')]);
    await run('work', '--once');
    const { runs } = JSON.parse((await run('show', id, '--json')).stdout) as {
      runs: { sessionId: string }[];
    };
    const session = runs[0]?.sessionId ?? '';
    const refs = git(cwd, 'for-each-ref');
    const commands = 'resume, retry, step, accept, keep, discard --yes, hold, rewind --to 1, fork --at 1';
    for (const [command = '', ...options] of commands.split(', ').map((words) => words.split(' '))) {
      const refused = await run(command, session, ...options);
      expect([command, refused.code, refused.stderr]).toEqual([
        command,
        1,
        expect.stringContaining(`is a run of task ${shortId(id)}`),
      ]);
    }
    expect(git(cwd, 'for-each-ref')).toBe(refs);
    expect((await run('show', session)).stdout).not.toContain(`accept ${shortId(session)}`);
    expect((await run('judge', id, 'approve')).code).toBe(0);
    expect(git(cwd, 'show', `${branch}:b.txt`)).toBe('b');
  });
});

describe('cleaning up after tasks', () => {
  it('frees the checkpoints of a run whose work is on the branch of its task, and keeps others', async () => {
    const { cwd, run, id, branch } = await project([file('b.txt', 'b\n')]);
    await run('work', '--once');
    const head = git(cwd, 'rev-parse', branch);
    git(cwd, 'update-ref', `refs/heads/${branch}`, 'main');
    expect((await run('clean', '--dry-run')).stdout).toContain('delivered nowhere');
    git(cwd, 'update-ref', `refs/heads/${branch}`, head);
    const cleaned = await run('clean', '--yes');
    expect([cleaned.code, cleaned.stdout]).toEqual([0, expect.not.stringContaining('delivered nowhere')]);
    expect(git(cwd, 'for-each-ref', 'refs/loopwright')).toBe('');
    expect((await run('judge', id, 'approve')).code).toBe(0);
    expect(git(cwd, 'show', 'main:b.txt')).toBe('b');
  });
});

describe('approving what was changed after it was delivered', () => {
  it('files that nobody has checked are refused and named, and nothing is accepted', async () => {
    const { cwd, run, id, folder } = await project([file('b.txt', 'b\n')]);
    await run('work', '--once');
    const before = git(cwd, 'rev-parse', 'main');
    write(folder, { 'b.txt': 'broken\n', 'stray.txt': 'x\n' });
    const refused = await run('judge', id, 'approve');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/not committed[^]*b\.txt[^]*stray\.txt/);
    expect(git(cwd, 'rev-parse', 'main')).toBe(before);
    expect((await run('task', 'list', '--json')).stdout).toContain('awaiting_judge');
  });

  it('commits of a person on its branch come along: the checks run on them, and the task says so', async () => {
    const { cwd, run, id, folder } = await project([file('b.txt', 'b\n')]);
    await run('work', '--once');
    write(folder, { 'b.txt': 'by hand\n' });
    commitAll(folder, 'by hand');
    const approved = await run('judge', id, 'approve');
    expect([approved.code, approved.stdout]).toEqual([
      0,
      expect.stringContaining('with 1 commit made after its checks, which were run again'),
    ]);
    expect(git(cwd, 'show', 'main:b.txt')).toBe('by hand');
    expect((await run('task', 'show', id)).stdout).toContain('1 commit made after its checks');
  });
});

describe('approving on a base that has moved', () => {
  const CONTRADICTS = `import { existsSync } from 'node:fs';
if (existsSync('b.txt')) {
  console.error('b.txt must not be');
  process.exit(1);
}
`;

  it('its commands run on what the base would become: red is refused, with a rework as the way on', async () => {
    const { cwd, run, id } = await project([file('b.txt', 'b\n')], [file('c.txt', 'c\n')]);
    await run('work', '--once');
    write(cwd, { 'check.mjs': CONTRADICTS });
    commitAll(cwd, 'no b.txt');
    const before = git(cwd, 'rev-parse', 'main');
    const refused = await run('judge', id, 'approve');
    expect([refused.code, refused.stdout]).toEqual([
      1,
      'main would become what no check has seen: running the checks on it: `node check.mjs`...\n',
    ]);
    expect(refused.stderr).toMatch(/With this work main would fail its checks[^]*b\.txt must not be/);
    expect(refused.stderr).toContain(
      `judge ${shortId(id)} rework "node check.mjs fails with what main has now"`,
    );
    expect([git(cwd, 'rev-parse', 'main'), (await run('task', 'list', '--json')).stdout]).toEqual([
      before,
      expect.stringContaining('awaiting_judge'),
    ]);
    expect((await run('judge', id, 'approve', '--unproven')).code).toBe(0);
    expect(git(cwd, 'log', '-1', '--format=%B')).toMatch(
      /Not proven when it was accepted:\n- no check has seen the tree \w{12} that main gets/,
    );
  });

  it('green lands by its tree; the commit has the evidence and names task, run and session', async () => {
    const { cwd, run, id } = await project([file('b.txt', 'b\n')]);
    await run('work', '--once');
    write(cwd, { 'main.txt': 'new on main\n' });
    commitAll(cwd, 'main goes on');
    const approved = await run('judge', id, 'approve');
    expect([approved.code, approved.stderr]).toEqual([0, '']);
    const tree = git(cwd, 'rev-parse', 'main^{tree}').slice(0, 12);
    const body = git(cwd, 'log', '-1', '--format=%B');
    expect(body).toContain(`Checked:\n- its own command: \`node check.mjs\` passed on tree ${tree}\n`);
    const [session] = JSON.parse((await run('sessions', '--json')).stdout).sessions as [
      { id: string; task: { id: string; run: string } },
    ];
    const trailers = git(cwd, 'log', '-1', '--format=%(trailers:only,unfold)').split('\n');
    expect(trailers).toEqual([
      `Loopwright-Task: ${id}`,
      `Loopwright-Run: ${session.task.run}`,
      `Loopwright-Session: ${session.id}`,
    ]);
  });
});

describe('approving suspicious changes', () => {
  it('CHT-10 needs a reason, which the commit keeps', async () => {
    const { cwd, run, id } = await project([file('b.txt', 'b\n')]);
    await run('work', '--once');
    const sessions = SessionManager.onDisk(join(cwd, '.loopwright/sessions'));
    const open = await sessions.open(sessions.ids()[0] ?? '');
    const found = [{ rule: 'test_removed', weight: 'hard', path: 'a.test.js', what: 'it is gone' }];
    const segment = { id: 'found', type: SUSPICIOUS_CHANGE, content: { tree: 'seen', found } };
    const added = [withOrigin(segment, BY_ENGINE)];
    open.record({ t: 'status', change: { to: 'completed' }, added, at: Date.now() });
    open.release();
    const refused = await run('judge', id, 'approve');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining(`1 change of task ${shortId(id)} makes its checks worth less`),
    ]);
    expect(refused.stderr).toContain(`judge ${shortId(id)} approve --suspicious "<reason>"`);
    expect((await run('judge', id, 'approve', '--suspicious', 'it was wrong')).code).toBe(0);
    expect(git(cwd, 'log', '-1', '--format=%B')).toContain(
      'Suspicious changes were accepted by a person: it was wrong\n- a.test.js: it is gone (test_removed)',
    );
  });
});

describe('a task that a person ends', () => {
  it.each(['cancel', 'rm'])('%s puts its worktree away and keeps its branch', async (how) => {
    const { cwd, run, id, folder, branch } = await project([file('b.txt', 'b\n')]);
    await run('work', '--once');
    expect(existsSync(folder)).toBe(true);
    const { code, stdout } = await run('task', how, id);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('!')]);
    expect(existsSync(folder)).toBe(false);
    expect(git(cwd, 'show', `${branch}:b.txt`)).toBe('b');
    if (how === 'rm') return;
    await run('task', 'requeue', id, '--notes', 'again');
    expect((await run('work', '--once')).stdout).toContain('done');
  });

  it('cancelled while it runs: its runtime puts the worktree away and says what it let go', async () => {
    const { run, id, folder, cwd, env } = await project([{ say: 'thinking' }, { hang: {} }]);
    const work = start(['work', '--once', '--json'], { cwd, env });
    await work.saw('thinking');
    await run('task', 'cancel', id);
    const { stdout } = await work.ended;
    expect(stdout).toContain('"ended":{"let go":1}');
    expect(existsSync(folder)).toBe(false);
    expect((await run('work', '--once')).stdout).toContain('There was nothing to do.');
  });
});
