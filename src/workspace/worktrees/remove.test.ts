import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from '../git/repository.ts';
import { TestRepo } from '../git/testing.ts';
import { GitWorktreeManager } from './manager.ts';

let repo: TestRepo;
let worktrees: GitWorktreeManager;
let path: string;
beforeEach(async () => {
  repo = new TestRepo();
  repo.put('a.txt', 'a\n');
  repo.commit('first');
  worktrees = new GitWorktreeManager(await openRepository(repo.dir));
  ({ path } = await worktrees.create({ id: 's' }));
});
afterEach(() => repo.dispose());

const commitIn = (dir: string, name = 'work.txt') => {
  writeFileSync(join(dir, name), 'work');
  repo.gitIn(dir, 'add', '-A');
  repo.gitIn(dir, 'commit', '-q', '-m', 'work');
  return repo.gitIn(dir, 'rev-parse', 'HEAD').trim();
};
const branches = () => repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads').trim().split('\n');

describe('health', () => {
  it('B-01 is clean, dirty, locked or missing', async () => {
    expect(await worktrees.health('s')).toBe('clean');
    writeFileSync(join(path, 'new.txt'), '');
    expect(await worktrees.health('s')).toBe('dirty');
    repo.git('worktree', 'lock', '--reason', 'on a stick', path);
    expect(await worktrees.health('s')).toBe('locked');
    expect((await worktrees.list())[0]?.lock).toContain('on a stick');
    rmSync(path, { recursive: true });
    expect(await worktrees.health('s')).toBe('missing');
    expect(await worktrees.health('unknown')).toBe('missing');
  });

  it('an index.lock in the worktree is reported with what to do, and stays', async () => {
    const lock = join(repo.dir, '.git/worktrees/s/index.lock');
    writeFileSync(lock, '');
    expect(await worktrees.list()).toMatchObject([
      { health: 'locked', lock: expect.stringContaining(`remove ${lock}`) as string },
    ]);
    expect(existsSync(lock)).toBe(true);
  });

  it('the list shows age, size and what is at stake', async () => {
    commitIn(path);
    writeFileSync(join(path, 'new.txt'), 'x'.repeat(10_000));
    const [view] = await worktrees.list();
    expect(view).toMatchObject({
      id: 's',
      branch: 'loopwright/s',
      uncommitted: 1,
      unmerged: 1,
      health: 'dirty',
    });
    expect(view?.bytes).toBeGreaterThan(10_000);
    expect(view?.ageMs).toBeGreaterThanOrEqual(0);
  });
});

describe('removing a worktree', () => {
  it('B-01 RUN-10 takes the folder and keeps the branch with its commits', async () => {
    const commit = commitIn(path);
    expect(await worktrees.remove('s')).toEqual({
      removed: true,
      id: 's',
      path,
      branch: 'loopwright/s',
      branchDeleted: false,
      commit,
      checkpoint: undefined,
    });
    expect(existsSync(path)).toBe(false);
    expect(existsSync(join(repo.dir, '.git/worktrees'))).toBe(false);
    expect(branches()).toEqual(['loopwright/s', 'main']);
    expect(await worktrees.list()).toEqual([]);
  });

  it('B-01 an unknown worktree is reported and nothing happens', async () => {
    expect(await worktrees.remove('t')).toMatchObject({ removed: false, reason: 'unknown' });
    expect(branches()).toEqual(['loopwright/s', 'main']);
  });

  it.each([
    ['changed', () => writeFileSync(join(path, 'a.txt'), 'b')],
    ['untracked', () => writeFileSync(join(path, 'new.txt'), '')],
    ['deleted', () => rmSync(join(path, 'a.txt'))],
  ])('never takes %s files without force', async (_, change) => {
    change();
    expect(await worktrees.remove('s')).toMatchObject({ removed: false, reason: 'uncommitted' });
    expect(existsSync(path)).toBe(true);
    expect(await worktrees.remove('s', { force: true })).toMatchObject({ removed: true });
    expect(existsSync(path)).toBe(false);
  });

  it('never deletes a branch that is merged nowhere without force, and says which commit it was', async () => {
    const commit = commitIn(path);
    expect(await worktrees.remove('s', { deleteBranch: true })).toMatchObject({ reason: 'unmerged' });
    repo.git('update-ref', 'refs/loopwright/s/000004', commit);
    expect(await worktrees.remove('s', { deleteBranch: true, force: true })).toMatchObject({
      removed: true,
      commit,
      checkpoint: 'refs/loopwright/s/000004',
    });
    expect(branches()).toEqual(['main']);
  });

  it('deletes a branch that was merged', async () => {
    commitIn(path);
    repo.git('merge', '-q', '--no-ff', '-m', 'merge', 'loopwright/s');
    expect(await worktrees.remove('s', { deleteBranch: true })).toMatchObject({ removed: true });
    expect(branches()).toEqual(['main']);
  });

  it('a branch that the user has checked out stays', async () => {
    await worktrees.create({ id: 't' });
    repo.git('checkout', '-q', '--ignore-other-worktrees', 'loopwright/s');
    repo.git('worktree', 'add', '-q', '-f', join(repo.base, 'mine'), 'loopwright/t');
    for (const id of ['s', 't']) {
      expect(await worktrees.remove(id, { deleteBranch: true, force: true })).toMatchObject({
        branchDeleted: false,
      });
    }
    expect(branches()).toEqual(['loopwright/s', 'loopwright/t', 'main']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('a ref that git has locked is named, and the next removal continues', async () => {
    repo.put('.git/refs/heads/loopwright/s.lock', '');
    await expect(worktrees.remove('s', { deleteBranch: true })).rejects.toThrow(/git is locked by .*s\.lock/);
    rmSync(join(repo.dir, '.git/refs/heads/loopwright/s.lock'));
    await worktrees.reconcile([]);
    expect(branches()).toEqual(['main']);
  });

  it('notices commits on a detached HEAD, which go with the folder', async () => {
    repo.gitIn(path, 'checkout', '-q', '--detach');
    commitIn(path);
    expect(await worktrees.remove('s')).toMatchObject({ removed: false, reason: 'stranded' });
  });

  it('keeps one that somebody locked', async () => {
    repo.git('worktree', 'lock', path);
    expect(await worktrees.remove('s')).toMatchObject({ removed: false, reason: 'locked' });
    expect(await worktrees.remove('s', { force: true })).toMatchObject({ removed: true });
  });

  it('works after the folder was deleted by hand, and leaves other entries of git alone', async () => {
    const mine = join(repo.base, 'mine');
    repo.git('worktree', 'add', '-q', mine);
    rmSync(mine, { recursive: true });
    rmSync(path, { recursive: true });
    expect(await worktrees.remove('s', { deleteBranch: true })).toMatchObject({ removed: true });
    expect(existsSync(join(repo.dir, '.git/worktrees/mine'))).toBe(true);
    expect(existsSync(join(repo.dir, '.git/worktrees/s'))).toBe(false);
  });

  it('restores a folder that was deleted by hand from its branch', async () => {
    commitIn(path);
    rmSync(path, { recursive: true });
    await worktrees.restore('s');
    expect(readFileSync(join(path, 'work.txt'), 'utf8')).toBe('work');
    expect(await worktrees.health('s')).toBe('clean');
    await worktrees.restore('s');
    rmSync(path, { recursive: true });
    repo.git('worktree', 'prune');
    repo.git('branch', '-q', '-D', 'loopwright/s');
    await worktrees.restore('s');
    expect(branches()).toEqual(['loopwright/s', 'main']);
    await expect(worktrees.restore('t')).rejects.toThrow(/no worktree t/);
  });
});
