import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tryGit } from '../git/run-git.ts';
import { TestRepo } from '../git/testing.ts';
import type { RunGit } from './bound-git.ts';
import { MissingCheckpointError } from './checkpoint-list.ts';
import { pruneCheckpoints, sessionsWithCheckpoints } from './prune.ts';
import { type SavedCheckpoint, TreeCheckpoints } from './tree-checkpoints.ts';

let repo: TestRepo;
let tree: string;

beforeEach(() => {
  repo = new TestRepo();
  repo.put('a.txt', 'one\n');
  repo.put('src/b.txt', 'two\n');
  repo.put('.gitignore', '*.log\n/.env\n');
  repo.commit('start');
  tree = join(repo.base, 'work tree é');
  repo.git('worktree', 'add', '-q', '-b', 'session', tree);
});
afterEach(() => repo.dispose());

const put = (path: string, content: string) => {
  mkdirSync(join(tree, path, '..'), { recursive: true });
  writeFileSync(join(tree, path), content);
};
const read = (path: string) => readFileSync(join(tree, path), 'utf8');
const open = (options = {}) => new TreeCheckpoints(tree, 'S1', options);
const saved = (result: SavedCheckpoint | 'unchanged') => {
  if (result === 'unchanged') throw new Error('nothing was saved');
  return result;
};
const filesOf = (ref: string) =>
  repo.git('ls-tree', '-r', '--name-only', '-z', ref).split('\0').filter(Boolean);

/** Everything of the user's that a checkpoint must not change. */
const usersState = (dir: string) => ({
  status: repo.gitIn(dir, 'status', '--porcelain=v2', '--branch'),
  index: repo.gitIn(dir, 'ls-files', '-s'),
  refs: repo
    .git('for-each-ref')
    .split('\n')
    .filter((line) => !line.includes('refs/loopwright/')),
  reflog: repo.gitIn(dir, 'reflog'),
  stash: repo.git('stash', 'list'),
});

describe('saving a tree', () => {
  it('keeps tracked and untracked files, and neither ignored nor copied-in ones', async () => {
    put('a.txt', 'changed\n');
    put('new/ü "x".txt', 'new\n');
    put('noise.log', 'x');
    put('.env', 'SECRET=1');
    put('copied/key.pem', 'x');
    unlinkSync(join(tree, 'src/b.txt'));
    const result = saved(await open({ exclude: ['copied/'] }).save(3, { message: 'after the fix' }));
    expect(filesOf(result.commit)).toEqual(['.gitignore', 'a.txt', 'new/ü "x".txt']);
    expect([...result.changed].sort()).toEqual(['a.txt', 'new/ü "x".txt', 'src/b.txt']);
    expect(repo.git('log', '-1', '--format=%(trailers:key=Loopwright-Step,valueonly)%an', result.ref)).toBe(
      '3\nloopwright\n',
    );
  });

  it('changes nothing of the user’s but the refs', async () => {
    repo.put('a.txt', 'dirty in the checkout\n');
    repo.put('staged.txt', 'x');
    repo.git('add', 'staged.txt');
    put('a.txt', 'staged here\n');
    repo.gitIn(tree, 'add', 'a.txt');
    put('a.txt', 'and changed again\n');
    const before = [usersState(repo.dir), usersState(tree)];
    const checkpoints = open();
    await checkpoints.save(1);
    put('other.txt', 'x');
    await checkpoints.save(2, { task: 'build' });
    await checkpoints.restore(1);
    unlinkSync(join(tree, 'a.txt'));
    await checkpoints.restore(1);
    expect([usersState(repo.dir), usersState(tree)]).toEqual(before);
    expect(read('a.txt')).toBe('and changed again\n');
  });

  it('says so when nothing changed, also in a new process and after a mere touch', async () => {
    put('c.txt', 'x');
    await open().save(1);
    const again = open();
    expect(await again.save(2)).toBe('unchanged');
    utimesSync(join(tree, 'c.txt'), 1, 1);
    expect(await again.save(3)).toBe('unchanged');
    expect((await again.list()).map(({ step }) => step)).toEqual([1]);
  });

  it('costs one git command when nothing changed', async () => {
    const commands: string[] = [];
    const run: RunGit = (args, options) => {
      commands.push(args.find((arg) => !arg.startsWith('-') && !arg.startsWith('core.')) ?? '');
      return tryGit(args, options);
    };
    for (const file of ['a.txt', 'src/b.txt', '.gitignore']) utimesSync(join(tree, file), 1, 1);
    const checkpoints = open({ run });
    await checkpoints.save(0);
    await checkpoints.save(1);
    commands.length = 0;
    expect(await checkpoints.save(2)).toBe('unchanged');
    expect(commands).toEqual(['add']);
  });

  it('sees an edit of equal size within the same instant', async () => {
    const checkpoints = open();
    await checkpoints.save(0);
    for (let i = 1; i < 10; i++) {
      put('a.txt', `on${i}\n`);
      expect(saved(await checkpoints.save(i)).changed).toEqual(['a.txt']);
    }
  });

  it('sees what git was told not to look at', async () => {
    repo.gitIn(tree, 'update-index', '--assume-unchanged', 'a.txt');
    put('a.txt', 'hidden\n');
    expect(saved(await open().save(1)).changed).toEqual(['a.txt']);
  });

  it('includes what is tracked although it is ignored, once somebody has added it', async () => {
    const checkpoints = open();
    await checkpoints.save(0);
    put('kept.log', 'x');
    repo.gitIn(tree, 'add', '-f', 'kept.log');
    expect(saved(await checkpoints.save(1)).changed).toEqual(['kept.log']);
    put('kept.log', 'y');
    expect(saved(await checkpoints.save(2)).changed).toEqual(['kept.log']);
  });

  it('leaves repositories inside alone and names them', async () => {
    put('inner/x.txt', 'x');
    repo.gitIn(join(tree, 'inner'), 'init', '-q');
    put('deep/er/y.txt', 'y');
    repo.gitIn(join(tree, 'deep/er'), 'init', '-q');
    repo.gitIn(join(tree, 'deep/er'), 'add', '-A');
    repo.gitIn(join(tree, 'deep/er'), 'commit', '-q', '-m', 'x');
    put('c.txt', 'c');
    const checkpoints = open();
    const result = saved(await checkpoints.save(1));
    expect(result.nested).toEqual(['deep/er', 'inner']);
    expect(result.changed).toEqual(['c.txt']);
    rmSync(join(tree, 'inner/.git'), { recursive: true });
    expect(saved(await checkpoints.save(2)).changed).toEqual(['inner/x.txt']);
  });

  it('leaves submodules alone and names them', async () => {
    const other = new TestRepo('other', repo.base);
    other.put('x', 'x');
    other.commit();
    repo.gitIn(tree, 'submodule', 'add', '-q', other.dir, 'sub');
    repo.gitIn(tree, 'commit', '-q', '-m', 'submodule');
    const checkpoints = open();
    await checkpoints.save(0);
    put('sub/x', 'changed');
    repo.gitIn(join(tree, 'sub'), 'commit', '-q', '-am', 'inside');
    put('c.txt', 'c');
    expect(saved(await checkpoints.save(1))).toMatchObject({ changed: ['c.txt'], nested: ['sub'] });
    await checkpoints.restore(0);
    expect(read('sub/x')).toBe('changed');
  });

  it('works before the first commit and from a folder below the top', async () => {
    const fresh = new TestRepo('fresh', repo.base);
    fresh.put('x/y.txt', '1');
    const checkpoints = new TreeCheckpoints(join(fresh.dir, 'x'), 'S2');
    expect(saved(await checkpoints.save(1)).changed).toEqual(['x/y.txt']);
    fresh.put('z.txt', '2');
    expect((await checkpoints.diff({ step: 1 })).files.map(({ path }) => path)).toEqual(['x/y.txt']);
    expect((await checkpoints.restore(1)).changed).toEqual(['z.txt']);
    expect(fresh.git('status', '--porcelain')).toBe('?? x/\n');
  });

  it('goes on when its index is damaged or taken away', async () => {
    const checkpoints = open();
    await checkpoints.save(0);
    const folder = join(repo.gitIn(tree, 'rev-parse', '--absolute-git-dir').trim(), 'loopwright-index');
    const file = join(folder, readdirSync(folder)[0]!);
    writeFileSync(file, 'not an index');
    put('c.txt', 'c');
    expect(saved(await checkpoints.save(1)).changed).toEqual(['c.txt']);
    rmSync(folder, { recursive: true });
    put('c.txt', 'd');
    expect(saved(await checkpoints.save(2)).changed).toEqual(['c.txt']);
  });

  it('identifies a tree by content alone', async () => {
    const checkpoints = open();
    const before = await checkpoints.tree();
    put('c.txt', 'c');
    expect(await checkpoints.tree()).not.toBe(before);
    unlinkSync(join(tree, 'c.txt'));
    expect(await checkpoints.tree()).toBe(before);
    chmodSync(join(tree, 'a.txt'), 0o755);
    expect(await checkpoints.tree()).not.toBe(before);
  });
});

describe('restoring a tree', () => {
  it('adds, changes and deletes exactly, and keeps ignored and copied-in files', async () => {
    const checkpoints = open({ exclude: ['local.cfg'] });
    put('link-target', 'x');
    symlinkSync('link-target', join(tree, 'link'));
    chmodSync(join(tree, 'a.txt'), 0o755);
    put('local.cfg', 'mine');
    put('noise.log', 'noise');
    await checkpoints.save(1);
    put('a.txt', 'broken\n');
    put('half/done.txt', 'half');
    rmSync(join(tree, 'src'), { recursive: true });
    unlinkSync(join(tree, 'link'));
    put('link/now-a-folder.txt', 'x');
    put('local.cfg', 'still mine');
    const result = await checkpoints.restore(1);
    expect(await checkpoints.tree()).toBe(result.tree);
    expect([read('a.txt'), read('src/b.txt')]).toEqual(['one\n', 'two\n']);
    expect(readlinkSync(join(tree, 'link'))).toBe('link-target');
    expect(statSync(join(tree, 'a.txt')).mode & 0o111).not.toBe(0);
    expect(existsSync(join(tree, 'half'))).toBe(false);
    expect([read('local.cfg'), read('noise.log')]).toEqual(['still mine', 'noise']);
    expect(filesOf(result.aside!.ref)).toContain('half/done.txt');
    expect(repo.git('show', `${result.aside!.ref}:a.txt`)).toBe('broken\n');
  });

  it('puts nothing aside that a ref already names', async () => {
    const checkpoints = open();
    expect(await checkpoints.save(0)).toMatchObject({ changed: [] });
    put('c.txt', '1');
    await checkpoints.save(1);
    expect(await checkpoints.restore(0)).not.toHaveProperty('aside');
    expect(await checkpoints.restore(1)).not.toHaveProperty('aside');
    expect(await checkpoints.restore(1)).toMatchObject({ changed: [] });
  });

  it('keeps aside an ignored file that stands in the way of one that comes back', async () => {
    const checkpoints = open();
    put('out.txt', 'saved');
    await checkpoints.save(1);
    put('.gitignore', 'out.txt\n');
    repo.gitIn(tree, 'rm', '-q', '--cached', '--ignore-unmatch', 'out.txt');
    rmSync(join(repo.gitIn(tree, 'rev-parse', '--absolute-git-dir').trim(), 'loopwright-index'), {
      recursive: true,
    });
    put('out.txt', 'later work');
    const { aside } = await open().restore(1);
    expect(read('out.txt')).toBe('saved');
    expect(repo.git('show', `${aside!.ref}:out.txt`)).toBe('later work');
  });

  it.each([
    ['a folder of ignored files', 'x/y', 'x/y/deep.log'],
    ['an ignored file', 'x/y/z.txt', 'x.log'],
  ])('keeps aside %s that stands where a file comes back', async (_, path, ignored) => {
    put('.gitignore', '*.log\n');
    const checkpoints = open();
    await checkpoints.save(0);
    const file = ignored === 'x.log' ? path.replace('x/', 'x.log/') : path;
    put(file, 'saved');
    if (ignored === 'x.log') repo.gitIn(tree, 'add', '-f', file);
    await checkpoints.save(1);
    rmSync(join(tree, file.split('/')[0]!), { recursive: true });
    repo.gitIn(tree, 'rm', '-q', '-r', '--cached', '--ignore-unmatch', file);
    await checkpoints.save(2);
    put(ignored, 'ignored work');
    const { aside } = await checkpoints.restore(1);
    expect(read(file)).toBe('saved');
    expect(repo.git('show', `${aside!.ref}:${ignored}`)).toBe('ignored work');
  });

  it('goes to a fork in another worktree by ref, step of a task or commit', async () => {
    put('c.txt', '1');
    const { commit } = saved(await open().save(4, { task: 'build: a/b..lock' }));
    expect(commit).toBe(repo.git('rev-parse', 'refs/loopwright/S1/4.build%3a%20a%2fb%2e%2elock').trim());
    expect((await open().list())[0]).toMatchObject({ step: 4, task: 'build: a/b..lock' });
    const other = join(repo.base, 'fork');
    repo.git('worktree', 'add', '-q', '-b', 'fork', other);
    const fork = new TreeCheckpoints(other, 'S2');
    expect(await fork.restore(commit)).toMatchObject({ changed: ['c.txt'] });
    expect(readFileSync(join(other, 'c.txt'), 'utf8')).toBe('1');
    expect((await fork.restore('refs/loopwright/S1/4.build%3a%20a%2fb%2e%2elock')).changed).toEqual([]);
  });

  it('goes on from a restored step as its child', async () => {
    const checkpoints = open();
    put('c.txt', '1');
    const first = saved(await checkpoints.save(1));
    put('c.txt', '2');
    await checkpoints.save(2);
    await checkpoints.restore(1);
    put('c.txt', '3');
    const third = saved(await checkpoints.save(3));
    expect(repo.git('rev-parse', `${third.commit}^`).trim()).toBe(first.commit);
    expect((await checkpoints.list()).map(({ step }) => step)).toEqual([1, 2, 3]);
    expect(await checkpoints.at(2)).toMatchObject({ step: 2 });
  });

  it('names a ref that was removed by hand, and what is still there', async () => {
    const checkpoints = open();
    for (const step of [1, 2, 3]) {
      put('c.txt', String(step));
      await checkpoints.save(step);
    }
    repo.git('update-ref', '-d', 'refs/loopwright/S1/2');
    await expect(checkpoints.restore(2)).rejects.toThrow(MissingCheckpointError);
    await expect(checkpoints.restore(2)).rejects.toThrow(/refs\/loopwright\/S1\/2 .*still there: 1, 3/);
    expect(read('c.txt')).toBe('3');
    await expect(new TreeCheckpoints(tree, 'S9').restore(1)).rejects.toMatchObject({
      next: expect.stringContaining('git fetch origin'),
    });
  });
});

describe('looking at checkpoints', () => {
  it('shows a timeline and differences', async () => {
    const checkpoints = open();
    await checkpoints.save(0);
    put('c.txt', 'c\nd\n');
    put('a.txt', 'two\nlines\n');
    await checkpoints.save(1);
    unlinkSync(join(tree, 'c.txt'));
    repo.gitIn(tree, 'mv', 'src/b.txt', 'src/moved.txt');
    await checkpoints.save(2);
    const timeline = await checkpoints.timeline();
    expect(timeline.map(({ step, added, modified, deleted }) => [step, added, modified, deleted])).toEqual([
      [0, 0, 0, 0],
      [1, 1, 1, 0],
      [2, 1, 0, 2],
    ]);
    const step = await checkpoints.diff({ step: 2 });
    expect(step.files).toEqual([
      { path: 'c.txt', kind: 'deleted', binary: false, insertions: 0, deletions: 2 },
      {
        path: 'src/moved.txt',
        from: 'src/b.txt',
        kind: 'renamed',
        binary: false,
        insertions: 0,
        deletions: 0,
      },
    ]);
    put('now.bin', 'x\0y');
    const all = await checkpoints.diff();
    expect(all.files.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'modified a.txt',
      'added now.bin',
      'renamed src/moved.txt',
    ]);
    expect(all.files[1]).toMatchObject({ binary: true });
    expect(all.text).toContain('+lines');
    expect((await checkpoints.diff({ from: 0, to: 1 })).insertions).toBe(4);
    await expect(checkpoints.diff({ step: 1, to: 2 })).rejects.toThrow(/either one step/);
  });

  it('forgets a session on demand, and repeating that is harmless', async () => {
    put('c.txt', '1');
    await open().save(1);
    await new TreeCheckpoints(tree, 'S2').save(1);
    expect(await sessionsWithCheckpoints(repo.dir)).toEqual(['S1', 'S2']);
    expect(await pruneCheckpoints(repo.dir, 'S1')).toEqual(['refs/loopwright/S1/1']);
    expect(await pruneCheckpoints(repo.dir, 'S1')).toEqual([]);
    expect(await sessionsWithCheckpoints(repo.dir)).toEqual(['S2']);
  });
});

describe('when something stands in the way', () => {
  it('a lock on the user’s index does not matter', async () => {
    for (const dir of [repo.dir, tree]) {
      writeFileSync(join(repo.gitIn(dir, 'rev-parse', '--absolute-git-dir').trim(), 'index.lock'), '');
    }
    const checkpoints = open();
    put('c.txt', '1');
    await checkpoints.save(1);
    put('c.txt', '2');
    expect((await checkpoints.restore(1)).changed).toEqual(['c.txt']);
  });

  it('a lock that a killed git left on one of our refs is removed', async () => {
    const lock = join(repo.dir, '.git/refs/loopwright/S1/1.lock');
    mkdirSync(join(lock, '..'), { recursive: true });
    writeFileSync(lock, '');
    utimesSync(lock, 1, 1);
    put('c.txt', '1');
    await open().save(1);
    expect(existsSync(lock)).toBe(false);
  });

  it('a full disk is called that, and what was saved stays', async () => {
    put('c.txt', '1');
    const before = saved(await open().save(1));
    put('c.txt', '2');
    for (const command of ['add', 'write-tree', 'commit-tree', 'update-ref']) {
      const run: RunGit = (args, options) =>
        args.includes(command)
          ? Promise.resolve({ code: 128, stdout: '', stderr: 'fatal: write error: No space left on device' })
          : tryGit(args, options);
      await expect(open({ run }).save(2)).rejects.toThrow(/disk is full/);
    }
    expect((await open().list()).map(({ commit }) => commit)).toEqual([before.commit]);
    expect(saved(await open().save(2)).changed).toEqual(['c.txt']);
  });

  it('a folder that is no repository, and a name that is no session, are told', async () => {
    await expect(new TreeCheckpoints(repo.base, 'S1').save(1)).rejects.toThrow(/not in a git repository/);
    expect(() => new TreeCheckpoints(tree, '../x')).toThrow(/not a session id/);
    await expect(open().save(-1)).rejects.toThrow(/not the number of a step/);
    await expect(open().restore('last')).rejects.toThrow(/names no checkpoint/);
  });
});
