import { chmodSync, readdirSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunGit } from '../git/bound-git.ts';
import { runGit } from '../git/run-git.ts';
import { TestRepo } from '../git/testing.ts';
import { CheckpointLab, saved } from './testing.ts';
import { TreeCheckpoints } from './tree-checkpoints.ts';

let lab: CheckpointLab;
beforeEach(() => {
  lab = new CheckpointLab();
});
afterEach(() => lab.dispose());

/** git, with a list of the commands that were run. */
function listing(): { commands: string[]; run: RunGit } {
  const commands: string[] = [];
  const run: RunGit = (args, options) => {
    commands.push(args.find((arg) => !arg.startsWith('-') && !arg.startsWith('core.')) ?? '');
    return runGit(args, options);
  };
  return { commands, run };
}

describe('saving a tree', () => {
  it('keeps tracked and untracked files, and neither ignored nor copied-in ones', async () => {
    lab.work('a.txt', 'changed\n');
    lab.work('new/ü "x".txt', 'new\n');
    lab.work('noise.log', 'x');
    lab.work('.env', 'SECRET=1');
    lab.work('copied/key.pem', 'x');
    unlinkSync(join(lab.tree, 'src/b.txt'));
    const result = saved(await lab.open({ exclude: ['copied/'] }).save(3, { message: 'after the fix' }));
    expect(lab.filesOf(result.commit)).toEqual(['.gitignore', 'a.txt', 'new/ü "x".txt']);
    expect([...result.changed].sort()).toEqual(['a.txt', 'new/ü "x".txt', 'src/b.txt']);
    expect(lab.git('log', '-1', '--format=%(trailers:key=Loopwright-Step,valueonly)%an', result.ref)).toBe(
      '3\nloopwright\n',
    );
  });

  it('an excluded path that is ignored besides is no reason to fail', async () => {
    lab.work('.env', 'SECRET=1');
    lab.work('.loopwright/own', 'x');
    lab.put('.git/info/exclude', '.loopwright/\n');
    lab.work('new.txt', 'new\n');
    const checkpoints = lab.open({ exclude: ['.env'] });
    expect(saved(await checkpoints.save(1)).changed).toEqual(['new.txt']);
    expect(await checkpoints.save(2)).toBe('unchanged');
  });

  it('changes nothing of the user’s but the refs', async () => {
    lab.put('a.txt', 'dirty in the checkout\n');
    lab.put('staged.txt', 'x');
    lab.git('add', 'staged.txt');
    lab.work('a.txt', 'staged here\n');
    lab.gitIn(lab.tree, 'add', 'a.txt');
    lab.work('a.txt', 'and changed again\n');
    const before = [lab.usersState(lab.dir), lab.usersState(lab.tree)];
    const checkpoints = lab.open();
    await checkpoints.save(1);
    lab.work('other.txt', 'x');
    await checkpoints.save(2, { task: 'build' });
    await checkpoints.restore(1);
    unlinkSync(join(lab.tree, 'a.txt'));
    await checkpoints.restore(1);
    expect([lab.usersState(lab.dir), lab.usersState(lab.tree)]).toEqual(before);
    expect(lab.read('a.txt')).toBe('and changed again\n');
  });

  it('says so when nothing changed, also in a new process and after a mere touch', async () => {
    lab.work('c.txt', 'x');
    await lab.open().save(1);
    const again = lab.open();
    expect(await again.save(2)).toBe('unchanged');
    utimesSync(join(lab.tree, 'c.txt'), 1, 1);
    expect(await again.save(3)).toBe('unchanged');
    expect((await again.list()).map(({ step }) => step)).toEqual([1]);
  });

  const HARDLY_OLDER_THAN_THE_INDEX = Date.now() / 1000 + 3600;
  it.each([
    ['long untouched', 1],
    ['as young as the index', HARDLY_OLDER_THAN_THE_INDEX],
  ])('costs one git command when nothing changed, the files %s', async (_, date) => {
    const { commands, run } = listing();
    for (const file of ['a.txt', 'src/b.txt', '.gitignore']) utimesSync(join(lab.tree, file), date, date);
    const checkpoints = lab.open({ run });
    const { tree } = saved(await checkpoints.save(0));
    await checkpoints.save(1);
    commands.length = 0;
    expect(await checkpoints.save(2)).toBe('unchanged');
    expect(commands).toEqual(['add']);
    expect(await checkpoints.tree()).toBe(tree);
    lab.work('a.txt', 'another size\n');
    utimesSync(join(lab.tree, 'a.txt'), date, date);
    expect(saved(await checkpoints.save(3)).changed).toEqual(['a.txt']);
  });

  it('keeps a tree that was just identified without looking at the files again', async () => {
    const { commands, run } = listing();
    const checkpoints = lab.open({ run });
    await checkpoints.save(0);
    lab.work('a.txt', 'two\n');
    const tree = await checkpoints.tree();
    commands.length = 0;
    expect(saved(await checkpoints.save(1, { tree }))).toMatchObject({ tree, changed: ['a.txt'] });
    expect(await checkpoints.save(2, { tree })).toBe('unchanged');
    expect(commands).toEqual(['update-ref']);
    lab.work('a.txt', 'three\n');
    await checkpoints.tree();
    lab.work('c.txt', 'new\n');
    expect(saved(await checkpoints.save(3, { tree: await checkpoints.tree() })).changed).toEqual([
      'a.txt',
      'c.txt',
    ]);
  });

  it('begins from the tree of files that were just made, and sees all that is done to them later', async () => {
    const { commands, run } = listing();
    const checkpoints = lab.open({ run });
    const tree = lab.gitIn(lab.tree, 'rev-parse', 'HEAD^{tree}').trim();
    expect(saved(await checkpoints.save(0, { tree }))).toMatchObject({ tree, changed: [] });
    expect(commands).not.toContain('add');
    expect(commands).not.toContain('write-tree');
    lab.gitIn(lab.tree, 'update-index', '--skip-worktree', 'a.txt');
    lab.gitIn(lab.tree, 'update-index', '--assume-unchanged', 'src/b.txt');
    lab.gitIn(lab.tree, 'rm', '-q', '--cached', '.gitignore');
    for (const file of ['a.txt', 'src/b.txt', 'c.txt']) lab.work(file, 'hidden\n');
    expect(saved(await checkpoints.save(1)).changed).toEqual(['a.txt', 'c.txt', 'src/b.txt']);
  });

  it('sees an edit of equal size within the same instant', async () => {
    const checkpoints = lab.open();
    await checkpoints.save(0);
    for (let i = 1; i < 10; i++) {
      lab.work('a.txt', `on${i}\n`);
      expect(saved(await checkpoints.save(i)).changed).toEqual(['a.txt']);
    }
  });

  it('names exactly the paths that differ, however they came about', async () => {
    const checkpoints = lab.open();
    await checkpoints.save(0);
    const steps = [
      () => lab.work('x/deep/one.txt', '1'),
      () => {
        rmSync(join(lab.tree, 'x'), { recursive: true });
        lab.work('x', 'a file now');
      },
      () => {
        unlinkSync(join(lab.tree, 'x'));
        lab.work('x/y', 'a folder again');
      },
      () => chmodSync(join(lab.tree, 'a.txt'), 0o755),
      () => {
        unlinkSync(join(lab.tree, 'a.txt'));
        symlinkSync('src/b.txt', join(lab.tree, 'a.txt'));
      },
      () => lab.work("it's\nodd 'name'.txt", '1'),
      () => lab.work("add 'quoted'.txt", '1'),
    ];
    for (const [i, act] of steps.entries()) {
      act();
      // Looking in between must not hide what changed since the last checkpoint.
      if (i % 2 === 0) await checkpoints.tree();
      const { commit, changed } = saved(await checkpoints.save(i + 1));
      const names = lab.git('diff-tree', '-r', '-z', '--no-renames', '--name-only', `${commit}^`, commit);
      expect([...changed].sort()).toEqual(names.split('\0').filter(Boolean).sort());
    }
  });

  it.each([
    ['by default', []],
    ['with names of 64 digits', ['--object-format=sha256']],
    ['shared by a group', ['--shared=group']],
  ])('writes commits that git finds sound: %s', async (_, how) => {
    const dir = join(lab.base, 'other');
    lab.git('init', '-q', ...how, dir);
    writeFileSync(join(dir, 'x'), '1');
    const checkpoints = new TreeCheckpoints(dir, 'S1');
    const first = saved(await checkpoints.save(1, { message: 'ü\0 \ud800\n\nLoopwright-Step: 7\n' }));
    writeFileSync(join(dir, 'x'), '2');
    const second = saved(await checkpoints.save(2, { task: 'a\nLoopwright-Step: 9' }));
    lab.gitIn(dir, 'fsck', '--strict');
    expect(lab.gitIn(dir, 'rev-list', '--parents', second.ref).split('\n')[0]).toBe(
      `${second.commit} ${first.commit}`,
    );
    expect((await checkpoints.list()).map(({ step, sequence }) => [step, sequence])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('sees what git was told not to look at', async () => {
    lab.gitIn(lab.tree, 'update-index', '--assume-unchanged', 'a.txt');
    lab.work('a.txt', 'hidden\n');
    expect(saved(await lab.open().save(1)).changed).toEqual(['a.txt']);
  });

  it('includes what is tracked although it is ignored, once somebody has added it', async () => {
    const checkpoints = lab.open();
    await checkpoints.save(0);
    lab.work('kept.log', 'x');
    lab.gitIn(lab.tree, 'add', '-f', 'kept.log');
    expect(saved(await checkpoints.save(1)).changed).toEqual(['kept.log']);
    lab.work('kept.log', 'y');
    expect(saved(await checkpoints.save(2)).changed).toEqual(['kept.log']);
  });

  it('leaves repositories inside alone and names them', async () => {
    lab.work('inner/x.txt', 'x');
    lab.gitIn(join(lab.tree, 'inner'), 'init', '-q');
    lab.work('deep/er/y.txt', 'y');
    lab.gitIn(join(lab.tree, 'deep/er'), 'init', '-q');
    lab.gitIn(join(lab.tree, 'deep/er'), 'add', '-A');
    lab.gitIn(join(lab.tree, 'deep/er'), 'commit', '-q', '-m', 'x');
    lab.work('c.txt', 'c');
    const checkpoints = lab.open();
    const result = saved(await checkpoints.save(1));
    expect(result.nested).toEqual(['deep/er', 'inner']);
    expect(result.changed).toEqual(['c.txt']);
    rmSync(join(lab.tree, 'inner/.git'), { recursive: true });
    expect(saved(await checkpoints.save(2)).changed).toEqual(['inner/x.txt']);
  });

  it('leaves submodules alone and names them', async () => {
    const other = new TestRepo('other', lab.base);
    other.put('x', 'x');
    other.commit();
    lab.gitIn(lab.tree, 'submodule', 'add', '-q', other.dir, 'sub');
    lab.gitIn(lab.tree, 'commit', '-q', '-m', 'submodule');
    const checkpoints = lab.open();
    await checkpoints.save(0);
    lab.work('sub/x', 'changed');
    lab.gitIn(join(lab.tree, 'sub'), 'commit', '-q', '-am', 'inside');
    lab.work('c.txt', 'c');
    expect(saved(await checkpoints.save(1))).toMatchObject({ changed: ['c.txt'], nested: ['sub'] });
    await checkpoints.restore(0);
    expect(lab.read('sub/x')).toBe('changed');
  });

  it('works before the first commit and from a folder below the top', async () => {
    const fresh = new TestRepo('fresh', lab.base);
    fresh.put('x/y.txt', '1');
    const checkpoints = new TreeCheckpoints(join(fresh.dir, 'x'), 'S2');
    expect(saved(await checkpoints.save(1)).changed).toEqual(['x/y.txt']);
    fresh.put('z.txt', '2');
    expect((await checkpoints.diff({ step: 1 })).files.map(({ path }) => path)).toEqual(['x/y.txt']);
    expect((await checkpoints.restore(1)).changed).toEqual(['z.txt']);
    expect(fresh.git('status', '--porcelain')).toBe('?? x/\n');
  });

  it('continues when its index is damaged or taken away', async () => {
    const checkpoints = lab.open();
    await checkpoints.save(0);
    const folder = join(lab.gitDirOf(lab.tree), 'loopwright/indexes');
    const file = join(folder, readdirSync(folder)[0]!);
    writeFileSync(file, 'not an index');
    lab.work('c.txt', 'c');
    expect(saved(await checkpoints.save(1)).changed).toEqual(['c.txt']);
    rmSync(folder, { recursive: true });
    lab.work('c.txt', 'd');
    expect(saved(await checkpoints.save(2)).changed).toEqual(['c.txt']);
  });

  it('identifies a tree by content alone', async () => {
    const checkpoints = lab.open();
    const before = await checkpoints.tree();
    lab.work('c.txt', 'c');
    expect(await checkpoints.tree()).not.toBe(before);
    unlinkSync(join(lab.tree, 'c.txt'));
    expect(await checkpoints.tree()).toBe(before);
    chmodSync(join(lab.tree, 'a.txt'), 0o755);
    expect(await checkpoints.tree()).not.toBe(before);
  });
});
