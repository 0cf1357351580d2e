import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from '../git/repository.ts';
import { TestRepo } from '../git/testing.ts';
import { GitWorktreeManager } from './manager.ts';
import { photograph, userSide } from './testing.ts';

let repo: TestRepo;
beforeEach(() => {
  repo = new TestRepo();
  repo.put('a.txt', 'a\n');
  repo.put('src/b.txt', 'b\n');
  repo.commit('first');
});
afterEach(() => repo.dispose());

const manager = async (dir = repo.dir, root?: string) =>
  new GitWorktreeManager(await openRepository(dir), { root });

describe('creating a worktree', () => {
  it('B-01 RUN-06 makes a folder and a branch from the current commit, outside of git status', async () => {
    const head = repo.git('rev-parse', 'HEAD').trim();
    const made = await (await manager()).create({ id: 's1' });
    expect(made).toEqual({
      id: 's1',
      path: join(repo.dir, '.loopwright/worktrees/s1'),
      branch: 'loopwright/s1',
      baseCommit: head,
      dirty: { changes: [], included: false },
      submodules: [],
    });
    expect(readFileSync(join(made.path, 'src/b.txt'), 'utf8')).toBe('b\n');
    expect(repo.gitIn(made.path, 'symbolic-ref', '--short', 'HEAD').trim()).toBe('loopwright/s1');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(existsSync(join(repo.dir, '.gitignore'))).toBe(false);
  });

  it('RUN-06 goes under LOCAL_WORKTREE_ROOT when it is set, also inside the checkout', async () => {
    const outside = await (await manager(repo.dir, join(repo.base, 'else where'))).create({ id: 'x' });
    expect(outside.path).toBe(join(repo.base, 'else where/x'));
    await (await manager(repo.dir, 'my [trees]')).create({ id: 'y' });
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('B-01 never touches checkout, index, stash, branch, hooks or configuration', async () => {
    repo.put('a.txt', 'stashed\n');
    repo.git('stash', '-q');
    repo.put('src/b.txt', 'staged\n');
    repo.git('add', '-A');
    repo.put('src/b.txt', 'and changed\n');
    repo.put('new.txt', 'new\n');
    repo.put('.git/hooks/post-checkout', '#!/bin/sh\ntouch "$0.ran"\n', 0o755);
    const before = userSide(repo.dir);
    const worktrees = await manager();
    await worktrees.create({ id: 'plain' });
    await worktrees.create({ id: 'dirty', includeDirty: true });
    await worktrees.list();
    await worktrees.remove('plain', { deleteBranch: true });
    await worktrees.remove('dirty', { force: true, deleteBranch: true });
    expect(userSide(repo.dir)).toEqual(before);
    expect(repo.git('for-each-ref', 'refs/heads/loopwright')).toBe('');
  });

  it('B-01 works from a subfolder, a detached HEAD, a linked worktree and a bare clone', async () => {
    repo.git('checkout', '-q', '--detach');
    const fromSub = await (await manager(join(repo.dir, 'src'))).create({ id: 'sub' });
    expect(fromSub.path).toBe(join(repo.dir, '.loopwright/worktrees/sub'));
    repo.git('worktree', 'add', '-q', '-b', 'mine', join(repo.base, 'linked'));
    const fromLinked = await (await manager(join(repo.base, 'linked'))).create({ id: 'linked' });
    expect(existsSync(join(fromLinked.path, 'a.txt'))).toBe(true);
    expect(repo.gitIn(join(repo.base, 'linked'), 'status', '--porcelain')).toBe('');
    const bare = join(repo.base, 'bare clone.git');
    repo.git('clone', '-q', '--bare', repo.dir, bare);
    const fromBare = await (await manager(bare)).create({ id: 'bare', base: 'main' });
    expect(fromBare.path).toBe(join(bare, '.loopwright/worktrees/bare'));
    expect(existsSync(join(fromBare.path, 'src/b.txt'))).toBe(true);
  });

  it('B-01 leaves submodules alone and reports them', async () => {
    const inner = new TestRepo('inner', repo.base);
    inner.commit();
    repo.git('submodule', '--quiet', 'add', inner.dir, 'libs/inner');
    repo.commit('with submodule');
    const worktrees = await manager();
    const made = await worktrees.create({ id: 's' });
    expect(made.submodules).toEqual(['libs/inner']);
    expect(readdirSync(join(made.path, 'libs/inner'))).toEqual([]);
    expect(await worktrees.health('s')).toBe('clean');
    expect(await worktrees.remove('s')).toMatchObject({ removed: true });
  });

  it('starts from a chosen base without tracking it', async () => {
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    repo.commit('second');
    const config = readFileSync(join(repo.dir, '.git/config'), 'utf8');
    const made = await (await manager()).create({ id: 's', base: 'origin/main', branch: 'agent/x' });
    expect(made.baseCommit).toBe(repo.git('rev-parse', 'origin/main').trim());
    expect(made.branch).toBe('agent/x');
    expect(readFileSync(join(repo.dir, '.git/config'), 'utf8')).toBe(config);
  });

  it('several at once in one process all succeed', async () => {
    const worktrees = await manager();
    const ids = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(ids.map((id) => worktrees.create({ id })));
    expect((await worktrees.list()).map(({ id, health }) => [id, health])).toEqual(
      ids.map((id) => [id, 'clean']),
    );
  });
});

describe('what can go wrong', () => {
  const nothingLeft = () => {
    expect(repo.git('for-each-ref', 'refs/heads/loopwright')).toBe('');
    expect(existsSync(join(repo.dir, '.git/worktrees'))).toBe(false);
    expect(existsSync(join(repo.dir, '.loopwright/worktrees/s'))).toBe(false);
    expect(readdirSync(join(repo.dir, '.git/loopwright/worktrees'))).toEqual([]);
    repo.git('fsck', '--strict');
  };

  it('a branch name that is taken is named, and the branch stays', async () => {
    repo.git('branch', 'loopwright/s');
    await expect((await manager()).create({ id: 's' })).rejects.toThrow(
      'There is a branch loopwright/s already.',
    );
    expect(repo.git('branch', '--list', 'loopwright/s')).toContain('loopwright/s');
  });

  it('a branch that is in the way of ours is named', async () => {
    repo.git('branch', 'loopwright');
    await expect((await manager()).create({ id: 's' })).rejects.toThrow(
      /branch loopwright\/s cannot be made/,
    );
    expect(existsSync(join(repo.dir, '.git/worktrees'))).toBe(false);
  });

  it('an unknown base, an odd branch name, an odd id and an id in use are refused', async () => {
    const worktrees = await manager();
    await expect(worktrees.create({ id: 's', base: 'mian' })).rejects.toThrow(/Did you mean "main"/);
    await expect(worktrees.create({ id: 's', branch: 'a..b' })).rejects.toThrow(
      /cannot be the name of a branch/,
    );
    expect(() => worktrees.create({ id: '../s' })).toThrow(/cannot be the id/);
    await worktrees.create({ id: 's' });
    await expect(worktrees.create({ id: 's' })).rejects.toThrow(/There is a worktree s already/);
  });

  it('a folder that stands in the way is not touched', async () => {
    repo.put('.loopwright/worktrees/s/mine.txt', 'mine');
    await expect((await manager()).create({ id: 's' })).rejects.toThrow(/exists already/);
    expect(existsSync(join(repo.dir, '.loopwright/worktrees/s/mine.txt'))).toBe(true);
  });

  it('a checkout that fails half-way leaves no trace', async () => {
    repo.put('.gitattributes', 'src/b.txt filter=broken\n');
    repo.commit();
    repo.git('config', 'filter.broken.smudge', 'false');
    repo.git('config', 'filter.broken.required', 'true');
    await expect((await manager()).create({ id: 's' })).rejects.toThrow(/failed/);
    nothingLeft();
  });

  it('a full disk leaves no trace', async ({ skip }) => {
    repo.put('big.bin', Buffer.alloc(3 << 20, 'x'));
    repo.commit();
    const tiny = join(repo.base, 'tiny');
    mkdirSync(tiny);
    // Root in a container may not mount either.
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', tiny], { stdio: 'ignore' });
    if (mounted.status !== 0) skip('nothing can be mounted here');
    try {
      await expect((await manager(repo.dir, tiny)).create({ id: 's' })).rejects.toMatchObject({
        message: expect.stringContaining('The disk is full') as string,
        next: { label: expect.stringContaining('LOCAL_WORKTREE_ROOT') as string },
      });
      expect(readdirSync(tiny)).toEqual([]);
      nothingLeft();
    } finally {
      execFileSync('umount', [tiny]);
    }
  });

  it('a lock of git in the way is named and never deleted', async () => {
    const lock = join(repo.dir, '.git/refs/heads/loopwright/s.lock');
    repo.put('.git/refs/heads/loopwright/s.lock', '');
    await expect((await manager()).create({ id: 's' })).rejects.toMatchObject({
      message: expect.stringContaining('s.lock') as string,
      next: { label: expect.stringContaining('remove') as string },
    });
    expect(existsSync(lock)).toBe(true);
  });

  it('an index.lock of the checkout does not matter: its index is not ours to lock', async () => {
    repo.put('.git/index.lock', '');
    repo.put('a.txt', 'changed\n');
    const made = await (await manager()).create({ id: 's', includeDirty: true });
    expect(readFileSync(join(made.path, 'a.txt'), 'utf8')).toBe('changed\n');
    expect(existsSync(join(repo.dir, '.git/index.lock'))).toBe(true);
  });
});

describe('--include-dirty', () => {
  it('B-01 brings binary files, renames, deletions, modes, links and untracked files, and keeps staged staged', async () => {
    const binary = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * 7) % 256));
    repo.put('bin.dat', Buffer.alloc(500, 1));
    repo.put('old name.txt', 'to be renamed\n'.repeat(20));
    repo.put('gone.txt', 'gone');
    repo.put('gone staged.txt', 'gone');
    repo.put('run.sh', '#!/bin/sh\n');
    repo.put('was file', 'x');
    repo.put('.gitignore', 'ignored/\n');
    repo.commit();
    repo.put('bin.dat', binary);
    repo.git('mv', 'old name.txt', 'neuer näme.txt');
    unlinkSync(join(repo.dir, 'gone.txt'));
    repo.git('rm', '-q', 'gone staged.txt');
    repo.put('run.sh', '#!/bin/sh\n', 0o755);
    unlinkSync(join(repo.dir, 'was file'));
    symlinkSync('src/b.txt', join(repo.dir, 'was file'));
    repo.put('untracked/deep/x.bin', binary, 0o755);
    repo.put('ignored/secret', 'no');
    repo.put('a.txt', 'staged\n');
    repo.git('add', 'a.txt');
    repo.put('a.txt', 'staged, then changed\n');

    const plain = await (await manager()).create({ id: 'plain' });
    expect(plain.dirty.included).toBe(false);
    expect(plain.dirty.changes.map(({ path }) => path)).toContain('bin.dat');
    const made = await (await manager()).create({ id: 's', includeDirty: true });
    expect(made.dirty.included).toBe(true);
    const own = (path: string) => /^(?:\.git|\.loopwright|ignored)\b(?!ignore)/.test(path);
    expect(photograph(made.path, own)).toEqual(photograph(repo.dir, own));
    const status = (dir: string) => repo.gitIn(dir, 'status', '--porcelain', '-uall').split('\n').sort();
    expect(status(made.path)).toEqual(status(repo.dir));
    expect(repo.gitIn(made.path, 'show', ':a.txt')).toBe('staged\n');
    expect(await (await manager()).health('s')).toBe('dirty');
  });

  it('is refused over conflicts and over another base, and leaves nothing', async () => {
    repo.git('checkout', '-q', '-b', 'other');
    repo.put('a.txt', 'theirs\n');
    repo.commit();
    repo.git('checkout', '-q', 'main');
    repo.put('a.txt', 'ours\n');
    repo.commit();
    const worktrees = await manager();
    await expect(worktrees.create({ id: 's', base: 'other', includeDirty: true })).rejects.toThrow(
      /another commit/,
    );
    expect(() => repo.git('merge', 'other')).toThrow();
    await expect(worktrees.create({ id: 's', includeDirty: true })).rejects.toThrow(/conflicts.*a\.txt/);
    expect(await worktrees.find('s')).toBeUndefined();
    writeFileSync(join(repo.dir, 'a.txt'), 'resolved\n');
  });
});
