import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from '../git/repository.ts';
import { TestRepo } from '../git/testing.ts';
import { GitWorktreeManager } from './manager.ts';
import { readRecord, writeRecord } from './record.ts';

let repo: TestRepo;
let worktrees: GitWorktreeManager;
beforeEach(async () => {
  repo = new TestRepo();
  repo.put('a.txt', 'a\n');
  repo.commit('first');
  worktrees = new GitWorktreeManager(await openRepository(repo.dir));
});
afterEach(() => repo.dispose());

const going = (id: string) => ({ id, resumable: true });
const ended = (id: string) => ({ id, resumable: false });
const kinds = async (sessions: Parameters<GitWorktreeManager['reconcile']>[0]) =>
  (await worktrees.reconcile(sessions)).map(({ kind, id, healed }) => [kind, id, healed]);

describe('reconciliation', () => {
  it('B-01 finds nothing when all agree', async () => {
    await worktrees.create({ id: 's' });
    expect(await worktrees.reconcile([going('s')])).toEqual([]);
  });

  it('B-01 a folder without a session is only reported', async () => {
    const { path } = await worktrees.create({ id: 's' });
    mkdirSync(join(worktrees.root, 'stray'));
    expect(await kinds([])).toEqual([
      ['folder-without-session', 's', false],
      ['stray-folder', 'stray', false],
    ]);
    expect(existsSync(path)).toBe(true);
  });

  it('B-01 a session without a folder is reported, the entry in git is healed, only ours', async () => {
    const { path } = await worktrees.create({ id: 's' });
    const mine = join(repo.base, 'mine');
    repo.git('worktree', 'add', '-q', mine);
    rmSync(mine, { recursive: true });
    rmSync(path, { recursive: true });
    expect(await kinds([going('s')])).toEqual([
      ['folder-gone', 's', true],
      ['session-without-folder', 's', false],
    ]);
    expect(existsSync(join(repo.dir, '.git/worktrees/mine'))).toBe(true);
    expect(existsSync(join(repo.dir, '.git/worktrees/s'))).toBe(false);
    expect(await kinds([ended('s')])).toEqual([]);
    await worktrees.restore('s');
    expect(await worktrees.reconcile([going('s')])).toEqual([]);
  });

  it('finishes what a kill left half made and half removed', async () => {
    await worktrees.create({ id: 'made' });
    await worktrees.create({ id: 'removed' });
    const common = join(repo.dir, '.git');
    for (const [id, state] of [
      ['made', 'creating'],
      ['removed', 'removing'],
    ] as const) {
      const record = await readRecord(common, id);
      await writeRecord(common, { ...record!, state });
    }
    expect(await kinds([going('made'), going('removed')])).toEqual([
      ['half-made', 'made', true],
      ['half-removed', 'removed', true],
    ]);
    expect(repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/loopwright').trim()).toBe(
      'loopwright/removed',
    );
    await worktrees.create({ id: 'made' });
  });

  it('an entry that git itself was killed over is undone', async () => {
    await worktrees.create({ id: 's' });
    const common = join(repo.dir, '.git');
    const record = await readRecord(common, 's');
    await writeRecord(common, { ...record!, state: 'creating' });
    for (const name of ['gitdir', 'HEAD', 'commondir', 'index']) rmSync(join(common, 'worktrees/s', name));
    writeFileSync(join(common, 'worktrees/s/locked'), 'initializing');
    await worktrees.create({ id: 's' });
    expect(await worktrees.health('s')).toBe('clean');
    repo.git('fsck', '--strict');
  });

  it('a moved repository keeps its worktrees and their uncommitted files', async () => {
    const { path } = await worktrees.create({ id: 's' });
    writeFileSync(join(path, 'new.txt'), 'new');
    const there = join(repo.base, 'moved away');
    renameSync(repo.dir, there);
    worktrees = new GitWorktreeManager(await openRepository(there));
    expect(await kinds([going('s')])).toEqual([['moved', 's', true]]);
    expect(await worktrees.list()).toMatchObject([
      { path: join(there, '.loopwright/worktrees/s'), health: 'dirty', uncommitted: 1 },
    ]);
    expect(await worktrees.reconcile([going('s')])).toEqual([]);
  });

  it('a copied repository gets its own worktrees and leaves the original alone', async () => {
    const { path } = await worktrees.create({ id: 's' });
    const link = readFileSync(join(path, '.git'), 'utf8');
    const copy = join(repo.base, 'copy');
    cpSync(repo.dir, copy, { recursive: true, verbatimSymlinks: true });
    const inCopy = new GitWorktreeManager(await openRepository(copy));
    expect((await inCopy.reconcile([going('s')])).map(({ kind }) => kind)).toEqual(['moved']);
    expect(await inCopy.health('s')).toBe('clean');
    expect(readFileSync(join(path, '.git'), 'utf8')).toBe(link);
    expect(await worktrees.reconcile([going('s')])).toEqual([]);
  });

  it('removing in a copied repository never reaches the original', async () => {
    const { path } = await worktrees.create({ id: 's' });
    const common = join(repo.dir, '.git');
    const record = await readRecord(common, 's');
    await writeRecord(common, { ...record!, state: 'creating' });
    const copy = join(repo.base, 'copy');
    cpSync(repo.dir, copy, { recursive: true, verbatimSymlinks: true });
    await writeRecord(common, record!);
    const inCopy = new GitWorktreeManager(await openRepository(copy));
    await inCopy.remove('s', { force: true });
    expect(existsSync(join(path, 'a.txt'))).toBe(true);
    expect(await worktrees.health('s')).toBe('clean');
  });

  it("git's own locks are reported and stay", async () => {
    repo.put('.git/index.lock', '');
    repo.put('.git/config.lock', '');
    expect(await kinds([])).toEqual([
      ['git-lock', '', false],
      ['git-lock', '', false],
    ]);
    expect(existsSync(join(repo.dir, '.git/index.lock'))).toBe(true);
  });
});

describe('gc', () => {
  it('removes what ended and is clean and merged, and keeps the rest with the reason', async () => {
    for (const id of ['going', 'done', 'dirty', 'ahead', 'lost']) await worktrees.create({ id });
    writeFileSync(join(worktrees.root, 'dirty/new.txt'), '');
    repo.gitIn(join(worktrees.root, 'ahead'), 'commit', '-q', '--allow-empty', '-m', 'x');
    const sessions = [going('going'), ended('done'), ended('dirty'), ended('ahead')];
    const planned = await worktrees.gc({ sessions, dryRun: true });
    expect(planned.map(({ id, action }) => [id, action])).toEqual([
      ['going', 'kept'],
      ['done', 'would-remove'],
      ['dirty', 'kept'],
      ['ahead', 'kept'],
      ['lost', 'would-remove'],
    ]);
    expect(await worktrees.list()).toHaveLength(5);
    expect(planned.map(({ reason }) => reason)).toEqual([
      'Its session can still be continued.',
      'Its session has ended.',
      'It has uncommitted changes: new.txt.',
      'Its branch has 1 commit(s) that are merged nowhere.',
      'No session knows it.',
    ]);
    await worktrees.gc({ sessions });
    expect((await worktrees.list()).map(({ id }) => id)).toEqual(['going', 'dirty', 'ahead']);
  });

  it('with force removes ended work too, says what still holds it, and never removes what can continue', async () => {
    await worktrees.create({ id: 'going' });
    const { path } = await worktrees.create({ id: 'ahead' });
    repo.gitIn(path, 'commit', '-q', '--allow-empty', '-m', 'x');
    const commit = repo.gitIn(path, 'rev-parse', 'HEAD').trim();
    repo.git('update-ref', 'refs/loopwright/ahead/7', commit);
    const items = await worktrees.gc({ sessions: [going('going'), ended('ahead')], force: true });
    expect(items).toMatchObject([
      { id: 'going', action: 'kept' },
      { id: 'ahead', action: 'removed', commit, checkpoint: 'refs/loopwright/ahead/7' },
    ]);
  });

  it('a delivered result may go although its commits were squashed, but not uncommitted files', async () => {
    const { path } = await worktrees.create({ id: 's' });
    repo.gitIn(path, 'commit', '-q', '--allow-empty', '-m', 'x');
    const sessions = [{ id: 's', resumable: false, delivered: true }];
    writeFileSync(join(path, 'new.txt'), '');
    expect(await worktrees.gc({ sessions })).toMatchObject([{ action: 'kept' }]);
    rmSync(join(path, 'new.txt'));
    expect(await worktrees.gc({ sessions })).toMatchObject([{ action: 'removed' }]);
  });
});
