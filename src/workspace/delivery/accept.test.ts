import { existsSync, readFileSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGit } from '../git/run-git.ts';
import { DeliveryLab, refusedOf } from './testing.ts';

let lab: DeliveryLab;
beforeEach(() => {
  lab = new DeliveryLab();
});
afterEach(() => lab.dispose());

describe('B-10 accept', () => {
  it('squashes everything into one commit of the user, and the checkout follows', async () => {
    lab.work('a.txt', 'better\n');
    lab.gitIn(lab.worktree, 'commit', '-q', '-am', 'a commit of the agent');
    lab.work('new/c.txt', 'c\n');
    unlinkSync(join(lab.worktree, 'b.txt'));
    const result = await lab.accept();
    expect(result).toMatchObject({
      kind: 'accepted',
      checkout: lab.dir,
      change: { insertions: 2, deletions: 2 },
    });
    expect(lab.log()).toEqual(['Do the thing', 'start']);
    expect(lab.git('log', '-1', '--format=%an %(trailers:key=Loopwright-Session,valueonly)').trim()).toBe(
      'Ada S1',
    );
    expect(lab.git('status', '--porcelain')).toBe('');
    expect([lab.read('a.txt'), lab.read('new/c.txt'), existsSync(join(lab.dir, 'b.txt'))]).toEqual([
      'better\n',
      'c\n',
      false,
    ]);
    expect(lab.log('session/S1')).toEqual(['Do the thing', 'a commit of the agent', 'start']);
  });

  it('a file of the checkout that was only written again with what it had is no change', async () => {
    lab.work('a.txt', 'better\n');
    lab.put('a.txt', 'one\n');
    utimesSync(join(lab.dir, 'a.txt'), 1, 1);
    expect(await lab.accept()).toMatchObject({ kind: 'accepted', checkout: lab.dir });
    expect([lab.read('a.txt'), lab.git('status', '--porcelain')]).toEqual(['better\n', '']);
  });

  it('merges with the branch’s own commits when asked to', async () => {
    lab.work('a.txt', 'better\n');
    await lab.accept({ mode: 'merge' });
    expect(lab.git('rev-list', '--parents', '-1', 'main').trim().split(' ')).toHaveLength(3);
    expect(lab.git('rev-parse', 'main^2')).toBe(lab.git('rev-parse', 'session/S1'));
  });

  it.each(['squash', 'merge'] as const)(
    'can be repeated (%s), also later and without worktree and branch',
    async (mode) => {
      lab.work('a.txt', 'better\n');
      const first = await lab.accept({ mode });
      const commit = { commit: (first as { commit: string }).commit };
      expect(await lab.accept({ mode })).toMatchObject({ kind: 'already-accepted', ...commit });
      lab.put('a.txt', 'changed again by the user\n');
      lab.commit('later');
      expect(await lab.accept({ mode })).toMatchObject({ kind: 'already-accepted', ...commit });
      lab.git('worktree', 'remove', '--force', lab.worktree);
      expect(await lab.accept({ mode })).toMatchObject({ kind: 'already-accepted', ...commit });
      lab.git('branch', '-q', '-D', 'session/S1');
      expect(await lab.accept({ mode })).toMatchObject({ kind: 'already-accepted', ...commit });
      expect(lab.log()[0]).toBe('later');
    },
  );

  it('delivers what was added after an earlier accept', async () => {
    lab.work('a.txt', 'better\n');
    await lab.accept();
    lab.work('b.txt', 'also better\n');
    expect(await lab.accept({ message: 'More' })).toMatchObject({ kind: 'accepted' });
    expect(lab.log()).toEqual(['More', 'Do the thing', 'start']);
    expect(lab.read('b.txt')).toBe('also better\n');
  });

  it('has nothing to do when nothing was changed', async () => {
    expect(await lab.accept()).toEqual({ kind: 'nothing-to-accept' });
  });

  it('joins a base that moved without a conflict', async () => {
    lab.work('a.txt', 'better\n');
    lab.put('b.txt', 'by the user\n');
    lab.commit('meanwhile');
    expect(await lab.accept()).toMatchObject({ kind: 'accepted', change: { files: [{ path: 'a.txt' }] } });
    expect([lab.read('a.txt'), lab.read('b.txt')]).toEqual(['better\n', 'by the user\n']);
  });

  it('leaves a checkout on another branch alone', async () => {
    lab.git('switch', '-q', '-c', 'other');
    lab.put('a.txt', 'dirty\n');
    const before = lab.git('status', '--porcelain=v2', '--branch');
    lab.work('a.txt', 'better\n');
    expect(await lab.accept()).toMatchObject({ kind: 'accepted', checkout: undefined });
    expect(lab.git('status', '--porcelain=v2', '--branch')).toBe(before);
    expect(lab.git('show', 'main:a.txt')).toBe('better\n');
  });

  it('keeps unrelated changes in the checkout, staged or not', async () => {
    lab.put('b.txt', 'unstaged\n');
    lab.put('untracked.txt', 'x');
    lab.put('staged.txt', 'y');
    lab.git('add', 'staged.txt');
    lab.git('config', 'merge.autoStash', 'true');
    lab.work('a.txt', 'better\n');
    expect(await lab.accept()).toMatchObject({ kind: 'accepted' });
    expect(lab.git('status', '--porcelain')).toBe(' M b.txt\nA  staged.txt\n?? untracked.txt\n');
    expect(lab.read('a.txt')).toBe('better\n');
  });

  it('leaves copied-in files out', async () => {
    lab.work('a.txt', 'better\n');
    lab.work('.env', 'SECRET=1');
    await lab.accept({ exclude: ['.env'] });
    expect(lab.git('ls-tree', '--name-only', 'main')).not.toContain('.env');
    expect(readFileSync(join(lab.worktree, '.env'), 'utf8')).toBe('SECRET=1');
  });
});

describe('B-10 accept refuses and leaves everything as it was', () => {
  const refused = async (more = {}) => {
    const before = lab.state();
    const result = refusedOf(await lab.accept(more));
    expect(lab.state()).toEqual(before);
    expect(result.next.label).not.toBe('');
    return result;
  };

  it('when the base moved and conflicts, with the files', async () => {
    lab.work('a.txt', 'mine\n');
    lab.work('b.txt', 'mine\n');
    lab.put('a.txt', 'theirs\n');
    lab.commit('meanwhile');
    expect(await refused()).toMatchObject({ reason: 'conflict', files: ['a.txt'] });
  });

  it.each([
    ['a changed file', 'a.txt'],
    ['an untracked file', 'new.txt'],
    ['an ignored file', 'new.log'],
  ])('when the checkout has %s in the way', async (_, path) => {
    lab.work(path, 'mine\n');
    if (path.endsWith('.log')) lab.gitIn(lab.worktree, 'add', '-f', path);
    lab.put(path, 'of the user\n');
    expect(await refused()).toMatchObject({ reason: 'dirty-checkout', files: [path] });
    expect(lab.read(path)).toBe('of the user\n');
  });

  it.each(['pre-commit', 'commit-msg'])('when the %s hook fails, with what it said', async (name) => {
    lab.hook(name, 'echo "lint: 3 problems" >&2; exit 1');
    lab.work('a.txt', 'mine\n');
    const result = await refused();
    expect(result).toMatchObject({ reason: 'hook' });
    expect(result.output).toContain('lint: 3 problems');
  });

  it('when a hook objects to the delivered message only', async () => {
    lab.work('a.txt', 'mine\n');
    lab.gitIn(lab.worktree, 'commit', '-q', '-am', 'JIRA-1: by the agent');
    lab.hook('commit-msg', 'grep -q JIRA "$1" || { echo "no ticket"; exit 1; }');
    expect(await refused()).toMatchObject({ reason: 'hook', output: expect.stringContaining('no ticket') });
    expect(await lab.accept({ message: 'JIRA-1: all' })).toMatchObject({ kind: 'accepted' });
  });

  it('when base, worktree or branch are not the expected ones', async () => {
    lab.work('a.txt', 'mine\n');
    expect(await refused({ base: 'master' })).toMatchObject({ reason: 'base-unknown' });
    expect(await refused({ branch: 'other' })).toMatchObject({ reason: 'wrong-branch' });
    expect(await refused({ branch: 'other', worktree: join(lab.base, 'none') })).toMatchObject({
      reason: 'branch-unknown',
    });
  });

  it('when the worktree is in the middle of a merge', async () => {
    lab.put('a.txt', 'theirs\n');
    lab.commit('meanwhile');
    lab.work('a.txt', 'mine\n');
    lab.gitIn(lab.worktree, 'commit', '-q', '-am', 'mine');
    expect(() => lab.gitIn(lab.worktree, 'merge', 'main')).toThrow();
    expect(await refused()).toMatchObject({ reason: 'unmerged', files: ['a.txt'] });
  });

  it('when git is locked in the checkout', async () => {
    lab.work('a.txt', 'mine\n');
    const lock = join(lab.dir, '.git', 'index.lock');
    writeFileSync(lock, '');
    expect(await refused()).toMatchObject({
      reason: 'locked',
      next: { label: expect.stringContaining(lock) },
    });
    rmSync(lock);
    expect(await lab.accept()).toMatchObject({ kind: 'accepted' });
  });

  it('when git does not know the user', async () => {
    lab.git('config', '--unset', 'user.name');
    lab.git('config', '--unset', 'user.email');
    lab.git('config', 'user.useConfigOnly', 'true');
    lab.work('a.txt', 'mine\n');
    const nobody = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const result = await refused({
      run: (args: readonly string[], options: Parameters<typeof runGit>[1]) =>
        runGit(args, { ...options, env: { ...nobody, ...options.env } }),
    });
    expect(result).toMatchObject({
      reason: 'no-identity',
      next: { label: expect.stringContaining('user.email') },
    });
  });

  it('when the base branch was replaced by one that has nothing in common with the work', async () => {
    lab.work('a.txt', 'mine\n');
    const planted = lab.git('commit-tree', '-m', 'planted', 'main^{tree}').trim();
    lab.git('update-ref', 'refs/heads/main', planted);
    expect(await refused()).toMatchObject({
      reason: 'unrelated',
      next: { label: expect.stringContaining('git log') },
    });
    expect(lab.git('rev-parse', 'main').trim()).toBe(planted);
  });

  it('when git is too old to merge without a checkout', async () => {
    lab.work('a.txt', 'mine\n');
    const result = await refused({
      run: (args: readonly string[], options: Parameters<typeof runGit>[1]) =>
        args[0] === 'merge-tree'
          ? Promise.resolve({
              code: 129,
              stdout: '',
              stderr: 'usage: git merge-tree <base> <branch1> <branch2>',
            })
          : runGit(args, options),
    });
    expect(result).toMatchObject({ reason: 'git-too-old', next: { label: expect.stringContaining('2.38') } });
  });
});

describe('accept after a kill while the checkout followed', () => {
  it('takes files that have arrived for what they are', async () => {
    lab.work('a.txt', 'better\n');
    lab.work('new.txt', 'new\n');
    unlinkSync(join(lab.worktree, 'b.txt'));
    lab.put('a.txt', 'better\n');
    lab.put('new.txt', 'new\n');
    unlinkSync(join(lab.dir, 'b.txt'));
    expect(await lab.accept()).toMatchObject({ kind: 'accepted' });
    expect(lab.git('status', '--porcelain')).toBe('');
  });

  it('still refuses what is the user’s own beside them', async () => {
    lab.work('a.txt', 'better\n');
    lab.work('b.txt', 'better\n');
    lab.put('a.txt', 'better\n');
    lab.put('b.txt', 'of the user\n');
    const before = lab.state();
    expect(refusedOf(await lab.accept())).toMatchObject({ reason: 'dirty-checkout', files: ['b.txt'] });
    expect(lab.state()).toEqual(before);
  });
});
