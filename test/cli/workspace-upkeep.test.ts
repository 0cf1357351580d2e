import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shortId } from '../../src/kernel/short-ids.ts';
import { isEndedState } from '../../src/process/identity.ts';
import { systemProcesses } from '../../src/process/process-table.ts';
import { appears, loopwright, start, tempFolder, write } from './support.ts';
import {
  commitAll,
  document,
  flow,
  git,
  identify,
  photographOf,
  read,
  repository,
  runToEnd,
} from './workspace-support.ts';

interface Item {
  readonly id: string;
  readonly action: string;
  readonly reason: string;
  readonly checkpoint?: string;
}
const gc = async (cwd: string, ...args: string[]): Promise<Item[]> =>
  (await document<{ worktrees: Item[] }>(['worktrees', 'gc', ...args], cwd)).worktrees;

describe('hold', () => {
  it('B-04 a held session is pushed, fetched in another clone and brought to its end there', async () => {
    const control = tempFolder();
    const cwd = repository({
      'w.json': flow(['write', 'b.txt', 'two\n'], ['wait', control, 'x'], ['write', 'c.txt', 'three\n']),
    });
    const remote = tempFolder();
    git(remote, 'init', '-q', '--bare');
    git(cwd, 'remote', 'add', 'origin', remote);
    git(cwd, 'push', '-q', 'origin', 'main');
    const { id, worktree } = await runToEnd(cwd, { code: 2, args: ['--step'] });
    expect((await loopwright(['step', id], { cwd })).code).toBe(2);
    write(worktree, { 'untracked.txt': 'u\n' });
    const before = photographOf(cwd);
    const held = await loopwright(['hold', id], { cwd });
    expect([held.code, held.stdout]).toEqual([0, expect.stringContaining(`refs/loopwright/${id}/held`)]);
    expect(photographOf(cwd)).toEqual(before);
    expect(await document<object>(['show', id], cwd)).toMatchObject({ status: 'held' });
    const again = await document<{ commit: string }>(['hold', id], cwd);
    expect(await document<{ commit: string }>(['hold', id], cwd)).toMatchObject({ commit: again.commit });
    const ref = `refs/loopwright/${id}/held`;
    git(cwd, 'push', '-q', 'origin', `${ref}:${ref}`);

    const clone = tempFolder();
    git(clone, 'clone', '-q', '-b', 'main', remote, '.');
    identify(clone);
    const missing = await loopwright(['unhold', id], { cwd: clone });
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('git fetch origin')]);
    git(clone, 'fetch', '-q', 'origin', `${ref}:${ref}`);
    const { worktree: there } = await document<{ worktree: string }>(['unhold', id], clone);
    expect(there).toBe(join(clone, '.loopwright/worktrees', id));
    expect([read(there, 'b.txt'), read(there, 'untracked.txt'), read(clone, 'b.txt')]).toEqual([
      'two\n',
      'u\n',
      undefined,
    ]);
    write(control, { 'x.go': '' });
    const resumed = await loopwright(['resume', id], { cwd: clone });
    expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('completed in 3 steps')]);
    expect(read(there, 'c.txt')).toBe('three\n');
    expect((await loopwright(['accept', id, '--into', 'main'], { cwd: clone })).code).toBe(0);
    expect([read(clone, 'c.txt'), read(clone, 'untracked.txt')]).toEqual(['three\n', 'u\n']);
  });

  it('B-02 B-04 a held session blocks others with the same plan, and continues where it was held', async () => {
    const cwd = repository({ 'w.json': flow(['write', 'b.txt', 'two\n'], ['write', 'c.txt', 'three\n']) });
    const { id } = await runToEnd(cwd, { code: 2, args: ['--step', '--plan', 'b.txt'] });
    expect((await loopwright(['hold', id], { cwd })).code).toBe(0);
    const other = await loopwright(['run', 'x', '-w', 'w.json', '--plan', 'b.txt', '--no-wait'], { cwd });
    expect([other.code, other.stdout]).toEqual([
      2,
      expect.stringContaining('will not end by itself: it is held'),
    ]);
    expect((await loopwright(['resume', id], { cwd })).code).toBe(0);
  });

  it('a session that has ended cannot be held', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    const refused = await loopwright(['hold', id], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is completed[^]*next: /)]);
  });
});

describe('worktrees', () => {
  it('list shows state, age, size and work of each; gc keeps what would be lost', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    const { stdout } = await loopwright(['worktrees'], { cwd });
    expect(stdout).toMatch(
      new RegExp(`${shortId(id)} +dirty +\\d+s ago .*B +2 uncommitted, 0 unmerged +loopwright/${id}`),
    );
    expect(await gc(cwd)).toMatchObject([
      { id, action: 'kept', reason: expect.stringContaining('uncommitted changes: a.txt, b.txt') },
    ]);
    await document(['keep', id], cwd);
    expect(await gc(cwd)).toMatchObject([
      { id, action: 'kept', reason: expect.stringContaining('merged nowhere') },
    ]);
    expect(existsSync(worktree)).toBe(true);
  });

  it('gc --dry-run removes nothing, --force says where the last checkpoint is', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    expect(await gc(cwd, '--dry-run', '--force')).toMatchObject([{ id, action: 'would-remove' }]);
    expect(existsSync(worktree)).toBe(true);
    const { stdout } = await loopwright(['worktrees', 'gc', '--force'], { cwd });
    expect(stdout).toMatch(
      new RegExp(
        `removed +${shortId(id)} .* Its session has ended\\. +\\(kept as refs/loopwright/${id}/\\d\\)`,
      ),
    );
    expect([existsSync(worktree), git(cwd, 'show', `refs/loopwright/${id}/2:b.txt`)]).toEqual([false, 'two']);
    const { files } = await document<{ files: object[] }>(['diff', id], cwd);
    expect(files).toHaveLength(2);
    const { worktree: forked } = await document<{ worktree: string }>(
      ['fork', id, '--at', '2', '--no-run'],
      cwd,
    );
    expect(read(forked, 'b.txt')).toBe('two\n');
  });

  it('gc never touches a session that can continue, not even with --force; teardown runs before a removal', async () => {
    const cwd = repository({ 'w.json': flow(['fail']), 'v.json': flow(['write', 'a.txt', 'zero\n']) });
    write(cwd, { '.loopwright/config.json': { worktrees: { teardown: ["node -e 'process.exit(6)'"] } } });
    const halted = await runToEnd(cwd, { code: 2 });
    const done = await runToEnd(cwd, { args: ['-w', 'v.json'] });
    const { worktrees, problems } = await document<{ worktrees: Item[]; problems: string[] }>(
      ['worktrees', 'gc', '--force'],
      cwd,
    );
    expect(worktrees).toMatchObject([
      { id: halted.id, action: 'kept', reason: 'Its session can still be continued.' },
      { id: done.id, action: 'removed' },
    ]);
    expect(problems).toEqual([expect.stringContaining(`teardown of ${done.id}`)]);
  });
});

describe('worktrees that somebody else needs', () => {
  it('gc leaves alone what another process is making ready; Ctrl-C then leaves nothing', async () => {
    const control = tempFolder();
    const cwd = repository();
    write(cwd, {
      '.loopwright/config.json': { worktrees: { setup: [['node', 'act.mjs', 'wait', control, 'setup']] } },
    });
    const run = start(['run', 'x', '-w', 'w.json'], { cwd });
    await appears(control, 'setup.started');
    expect(await gc(cwd, '--force')).toMatchObject([
      { action: 'kept', reason: 'Its session can still be continued.' },
    ]);
    run.child.kill('SIGINT');
    const { code, stderr } = await run.ended;
    expect([code, stderr]).toEqual([130, 'interrupted before the session began: nothing was kept\n']);
    expect(await document(['worktrees'], cwd)).toEqual({ worktrees: [], findings: [] });
    expect(git(cwd, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    const setup = systemProcesses.row(Number(read(control, 'setup.started')));
    expect(setup === undefined || isEndedState(setup.state)).toBe(true);
  });

  it('gc of one project leaves the sessions of another one in the same repository alone', async () => {
    const cwd = repository({ 'w.json': flow(['fail']) });
    const project = join(cwd, 'pkg');
    write(project, { 'w.json': flow(['fail']), 'act.mjs': read(cwd, 'act.mjs') });
    commitAll(cwd, 'a package');
    const { id, worktree } = await runToEnd(cwd, { code: 2 });
    const other = await runToEnd(project, { code: 2 });
    for (const dir of [cwd, project]) {
      const items = await gc(dir, '--force');
      expect(items.map(({ action }) => action)).toEqual(['kept', 'kept']);
    }
    expect([existsSync(worktree), id === other.id]).toEqual([true, false]);
    expect((await document<{ findings: object[] }>(['worktrees'], project)).findings).toEqual([]);
  });
});

describe('retention', () => {
  it('is off by default, and removes ended sessions beyond the count whose work is delivered', async () => {
    const cwd = repository();
    const first = await runToEnd(cwd);
    await document(['accept', first.id], cwd);
    write(cwd, { 'w.json': flow(['write', 'c.txt', 'c\n']) });
    commitAll(cwd, 'another workflow');
    const undelivered = await runToEnd(cwd);
    write(cwd, { '.loopwright/config.json': { retention: { count: 0 } }, 'w.json': flow(['fail']) });
    const halted = await runToEnd(cwd, { code: 2, args: ['--include-dirty'] });
    expect(halted.ended.stdout).toContain(`removed the ended session ${shortId(first.id)}`);
    const left = await document<{ id: string }[]>(['sessions', '--all'], cwd);
    expect(left.map(({ id }) => id).sort()).toEqual([undelivered.id, halted.id].sort());
    expect([existsSync(first.worktree), existsSync(undelivered.worktree)]).toEqual([false, true]);
    expect(git(cwd, 'for-each-ref', `refs/loopwright/${first.id}/`)).toBe('');
  });

  it('by age: what ended longer ago goes, also what worked in place; the session of this run stays', async () => {
    const cwd = repository();
    const first = await runToEnd(cwd, { args: ['--in-place'] });
    write(cwd, { '.loopwright/config.json': { retention: { days: 0 } } });
    const second = await runToEnd(cwd, { args: ['--in-place'] });
    expect(second.ended.stdout).toContain(
      `removed the ended session ${shortId(first.id)}, as "retention" says`,
    );
    const left = await document<{ id: string }[]>(['sessions', '--all'], cwd);
    expect(left.map(({ id }) => id)).toEqual([second.id]);
  });

  it('a configuration that makes no sense is refused', async () => {
    const cwd = repository();
    write(cwd, { '.loopwright/config.json': { retention: { day: 3 } } });
    const refused = await loopwright(['run', 'x', '-w', 'w.json'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Did you mean "days"?')]);
  });
});
