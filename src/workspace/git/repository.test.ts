import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRepository } from './repository.ts';
import { resolveStart } from './resolve-start.ts';
import { TestRepo } from './testing.ts';

let repo: TestRepo;
beforeEach(() => {
  repo = new TestRepo();
});
afterEach(() => repo.dispose());

describe('opening a repository', () => {
  it('B-01 tells top, branch and commit, with blanks and Unicode in the path', async () => {
    repo.put('a.txt', 'a');
    const commit = repo.commit();
    const opened = await openRepository(repo.dir);
    expect(opened).toMatchObject({
      dir: repo.dir,
      top: repo.dir,
      gitDir: join(repo.dir, '.git'),
      commonDir: join(repo.dir, '.git'),
      prefix: '',
      head: { kind: 'branch', branch: 'main', commit },
      submodules: [],
    });
  });

  it('B-01 works from a subfolder and with a detached HEAD', async () => {
    repo.put('sub folder/deep/a.txt', 'a');
    const commit = repo.commit();
    repo.git('checkout', '-q', '--detach');
    const opened = await openRepository(join(repo.dir, 'sub folder/deep'));
    expect(opened.top).toBe(repo.dir);
    expect(opened.prefix).toBe('sub folder/deep');
    expect(opened.head).toEqual({ kind: 'detached', commit });
  });

  it('B-01 a bare clone has no checkout and can be worked with', async () => {
    repo.commit();
    repo.git('clone', '-q', '--bare', repo.dir, join(repo.base, 'bare.git'));
    const opened = await openRepository(join(repo.base, 'bare.git'));
    expect(opened).toMatchObject({ dir: join(repo.base, 'bare.git'), top: undefined });
  });

  it('B-01 a linked worktree shares the common directory', async () => {
    repo.commit();
    repo.git('worktree', 'add', '-q', join(repo.base, 'linked'));
    const opened = await openRepository(join(repo.base, 'linked'));
    expect(opened.commonDir).toBe(join(repo.dir, '.git'));
    expect(opened.gitDir).toBe(join(repo.dir, '.git/worktrees/linked'));
  });

  it('B-01 submodules are reported', async () => {
    const inner = new TestRepo('inner', repo.base);
    inner.commit();
    repo.git('submodule', '--quiet', 'add', inner.dir, 'libs/the inner');
    expect((await openRepository(repo.dir)).submodules).toEqual(['libs/the inner']);
  });

  it('an unborn branch is a state, not an error', async () => {
    expect((await openRepository(repo.dir)).head).toEqual({ kind: 'unborn', branch: 'main' });
  });

  it('says what to do outside a repository', async () => {
    await expect(openRepository(repo.base)).rejects.toMatchObject({
      message: expect.stringContaining('is not in a git repository') as string,
      next: { label: expect.stringContaining('git init') as string },
    });
  });

  it('says that a folder is missing, and that .git is not a checkout', async () => {
    await expect(openRepository(join(repo.base, 'none'))).rejects.toThrow(/There is no folder/);
    await expect(openRepository(join(repo.dir, '.git'))).rejects.toThrow(/inside the git directory/);
  });

  it('says where the repository of a worktree was before it moved', async () => {
    repo.commit();
    const linked = join(repo.base, 'linked');
    repo.git('worktree', 'add', '-q', linked);
    renameSync(repo.dir, join(repo.base, 'elsewhere'));
    await expect(openRepository(linked)).rejects.toMatchObject({
      message: expect.stringContaining(`no longer at ${repo.dir}.`) as string,
      next: { label: expect.stringContaining('git worktree repair') as string },
    });
    mkdirSync(repo.dir);
  });
});

describe('the base', () => {
  it('offers the first commit when there is none', async () => {
    await expect(resolveStart(await openRepository(repo.dir), undefined, 'x')).rejects.toMatchObject({
      message: expect.stringContaining('no commits yet') as string,
      next: { label: expect.stringContaining('git commit --allow-empty -m "start"') as string },
    });
  });

  it('guesses which branch was meant', async () => {
    repo.commit();
    repo.git('branch', 'develop');
    repo.git('update-ref', 'refs/remotes/origin/release', 'HEAD');
    const opened = await openRepository(repo.dir);
    await expect(resolveStart(opened, 'develpo', 'x')).rejects.toThrow(/Did you mean "develop"\?/);
    await expect(resolveStart(opened, 'release', 'x')).rejects.toThrow(/Did you mean "origin\/release"\?/);
    await expect(resolveStart(opened, '--all', 'x')).rejects.toThrow(/not the name of a branch/);
  });

  it('is read when it is needed, not when the repository was opened', async () => {
    repo.commit();
    const opened = await openRepository(repo.dir);
    const later = repo.commit('later');
    expect(await resolveStart(opened, undefined, 'main')).toEqual({
      commit: later,
      head: later,
      branchAt: later,
    });
  });
});
