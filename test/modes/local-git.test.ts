import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeTask } from '../../src/tasks/prepare/close-task.ts';
import { ModeLab, REQUEST, read, remove, TASK, write } from './lab.ts';

let lab: ModeLab;
beforeEach(() => {
  lab = new ModeLab();
});
afterEach(() => lab.dispose());

const BRANCH = `loopwright/task/${TASK}`;

describe('local-git mode', () => {
  it('RUN-06 RUN-10 ST-01 a worktree from the base; one commit on its branch, nothing pushed, a diff artifact', async () => {
    lab.git('remote', 'add', 'origin', join(lab.base, 'nowhere.git'));
    const tree = await lab.prepare('local-git');
    expect(tree.path).toBe(join(lab.dir, '.loopwright', 'worktrees', `task-${TASK}`));
    expect(lab.gitIn(tree.path, 'branch', '--show-current').trim()).toBe(BRANCH);
    write(tree.path, 'src/a.txt', 'one\ntwo\n');
    const delivery = await tree.deliver(REQUEST);
    expect(delivery).toMatchObject({ review: true });
    expect(delivery.artifacts.map(({ type }) => type)).toEqual(['branch', 'worktree', 'commit', 'diff']);
    const commit = lab.git('rev-parse', BRANCH).trim();
    expect(delivery.artifacts.find(({ type }) => type === 'commit')?.ref).toBe(commit);
    expect(delivery.artifacts.find(({ type }) => type === 'diff')?.data).toMatchObject({
      base: 'main',
      branch: BRANCH,
      insertions: 1,
      files: [{ path: 'src/a.txt', kind: 'modified', insertions: 1, deletions: 0 }],
    });
    expect(lab.git('rev-list', '--count', `main..${BRANCH}`).trim()).toBe('1');
    const message = lab.git('log', '-1', '--format=%an%n%B', BRANCH);
    expect(message).toMatch(/^Ada\nDo the thing\n\nThe thing is done\.\n\nnode check\.js: passed/);
    expect(message).toMatch(new RegExp(`Loopwright-Task: ${TASK}\nLoopwright-Run: run-1`));
    expect(lab.git('status', '--porcelain')).toBe('');
  });

  it('repeating a delivery finds its own commit', async () => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    const first = await tree.deliver(REQUEST);
    const again = await (await lab.prepare('local-git')).deliver(REQUEST);
    expect(again).toEqual(first);
    expect(lab.git('rev-list', '--count', `main..${BRANCH}`).trim()).toBe('1');
  });

  it('ST-03 nothing to commit needs no review', async () => {
    const delivery = await (await lab.prepare('local-git')).deliver(REQUEST);
    expect(delivery).toMatchObject({ review: false });
    expect(delivery.artifacts.map(({ type }) => type)).toEqual(['branch', 'worktree']);
  });

  it('RUN-08 without a delivery there is no commit on the branch', async () => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    await tree.tree?.save?.(1);
    await tree.close();
    expect(lab.git('rev-list', '--count', `main..${BRANCH}`).trim()).toBe('0');
    expect(read(tree.path, 'b.txt')).toBe('b\n');
  });

  it('lists what was done since the base, without what is ignored or was copied in, and undoes it', async () => {
    lab.put('.env', 'SECRET=1\n');
    lab.configure({ worktrees: { copy: ['.env'] } });
    const { path, taskTree } = await lab.prepare('local-git');
    expect(read(path, '.env')).toBe('SECRET=1\n');
    write(path, 'src/a.txt', 'changed\n');
    write(path, 'src/new/b.txt', 'new\n');
    write(path, 'x.log', 'ignored\n');
    write(path, '.loopwright/y', 'ours\n');
    remove(path, 'README.md');
    lab.gitIn(path, 'add', 'src/new/b.txt');
    lab.gitIn(path, 'commit', '-q', '-m', 'by the agent');
    const changes = { changed: ['src/a.txt'], added: ['src/new/b.txt'], removed: ['README.md'] };
    expect(await taskTree.changes()).toEqual(changes);
    expect([...(await taskTree.ignored(['x.log', 'keep.log', 'src/a.txt']))]).toEqual(['x.log']);
    expect([...(await taskTree.tracked(['src/a.txt', 'src/new/b.txt']))]).toEqual(['src/a.txt']);
    expect(await taskTree.discard(['src/a.txt', 'src/new/b.txt', 'README.md', '.env'])).toMatchObject({
      discarded: ['src/a.txt', 'src/new/b.txt', 'README.md'],
      kept: [{ path: '.env' }],
    });
    expect(await taskTree.changes()).toEqual({ changed: [], added: [], removed: [] });
    expect(existsSync(join(path, 'src/new'))).toBe(false);
    expect(read(path, 'src/a.txt')).toBe('one\n');
  });

  it('keeps the baseline of the untouched tree for all runs, and the tree for the next attempt', async () => {
    lab.configure({ commands: { test: ['node', '-e', 'process.exit(3)'] } });
    const first = await lab.prepare('local-git');
    expect(first.payload).toMatchObject([
      { type: 'BASELINE', content: { checks: [{ name: 'test', color: 'red', exitCode: 3 }] } },
    ]);
    expect(first.notes).toEqual([expect.stringContaining('red before the work began: test')]);
    write(first.path, 'half.txt', 'half\n');
    await first.close();
    const second = await lab.prepare('local-git', lab.claim({ runId: 'run-2', sessionId: 's2', attempt: 2 }));
    expect(second.payload).toEqual(first.payload);
    expect(read(second.path, 'half.txt')).toBe('half\n');
    expect(await second.taskTree.changes()).toMatchObject({ added: ['half.txt'] });
  });

  it.each([
    ['nothing was run in it', {}, ['.gitignore', 'README.md', 'src/a.txt']],
    [
      'a setup command has written',
      { worktrees: { setup: [['node', '-e', 'require("fs").writeFileSync("made.txt", "")']] } },
      ['.gitignore', 'README.md', 'made.txt', 'src/a.txt'],
    ],
    [
      'a check has written',
      { commands: { test: ['node', '-e', 'require("fs").writeFileSync("made.txt", "")'] } },
      ['.gitignore', 'README.md', 'made.txt', 'src/a.txt'],
    ],
  ])('the first checkpoint is what the agent finds, when %s', async (_, config, files) => {
    lab.configure(config);
    const { tree, path } = await lab.prepare('local-git');
    const commit = await tree?.save?.(0);
    expect(
      lab
        .git('ls-tree', '-r', '--name-only', commit ?? '')
        .trim()
        .split('\n'),
    ).toEqual(files);
    write(path, 'later.txt', 'x\n');
    const again = await (
      await lab.prepare('local-git', lab.claim({ runId: 'run-2', sessionId: 's2' }))
    ).tree?.save?.(0);
    expect(lab.git('ls-tree', '-r', '--name-only', again ?? '')).toContain('later.txt');
  });

  it('makes setup again that was interrupted', async () => {
    lab.configure({ worktrees: { setup: [['node', '-e', 'process.exit(1)']] } });
    await expect(lab.prepare('local-git')).rejects.toThrow('Setting up the worktree failed');
    lab.configure({ worktrees: { setup: [['node', '-e', 'require("fs").writeFileSync("made.log", "")']] } });
    const { path } = await lab.prepare('local-git');
    expect(existsSync(join(path, 'made.log'))).toBe(true);
  });

  it('the folder is removed when the task has ended; the branch stays and a later run continues it', async () => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    await tree.deliver(REQUEST);
    await tree.close();
    expect(existsSync(tree.path)).toBe(true);
    await tree.close({ ended: true });
    expect(existsSync(tree.path)).toBe(false);
    const again = await lab.prepare('local-git', lab.claim({ runId: 'run-2', sessionId: 's2' }));
    expect(await again.taskTree.changes()).toMatchObject({ added: ['b.txt'] });
    rmSync(again.path, { recursive: true });
    const third = await lab.prepare('local-git', lab.claim({ runId: 'run-3', sessionId: 's2' }));
    expect(read(third.path, 'b.txt')).toBe('b\n');
    expect(third.notes?.join()).toContain('was gone and was made again');
  });

  it('what a task that a person ended worked in is removed without a claim', async () => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    await closeTask('local-git', lab.options(), TASK);
    expect(existsSync(tree.path)).toBe(true);
    await tree.deliver(REQUEST);
    await closeTask('local-git', lab.options(), TASK);
    await closeTask('local-git', lab.options(), TASK);
    expect([existsSync(tree.path), lab.git('branch', '--list', BRANCH).trim()]).toEqual([false, BRANCH]);
  });

  it('what is not committed keeps the folder of an ended task', async () => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    await tree.close({ ended: true });
    expect(read(tree.path, 'b.txt')).toBe('b\n');
  });
});

describe('local-git mode, what agents do to git', () => {
  it('its own commits count, a drifted branch is switched back with them', async () => {
    const tree = await lab.prepare('local-git');
    lab.gitIn(tree.path, 'switch', '-q', '-c', 'mine');
    write(tree.path, 'b.txt', 'b\n');
    lab.gitIn(tree.path, 'add', 'b.txt');
    lab.gitIn(tree.path, 'commit', '-q', '-m', 'by the agent');
    write(tree.path, 'c.txt', 'c\n');
    const delivery = await tree.deliver(REQUEST);
    expect(delivery.data).toMatchObject({ notes: [expect.stringContaining('switched to mine')] });
    expect(lab.git('log', '--format=%s', `main..${BRANCH}`).trim().split('\n')).toEqual([
      'Do the thing',
      'by the agent',
    ]);
    expect(lab.git('ls-tree', '--name-only', BRANCH)).toContain('c.txt');
  });

  it('a base branch that was moved meanwhile is reported, whoever moved it', async () => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    const empty = lab.gitIn(tree.path, 'commit-tree', '-m', 'planted', 'main^{tree}').trim();
    lab.gitIn(tree.path, 'update-ref', 'refs/heads/main', empty);
    const { data } = await tree.deliver(REQUEST);
    expect(data).toMatchObject({ notes: [expect.stringMatching(/^main was moved from \w+ to \w+ since/)] });
  });

  it('commits on a detached HEAD beside the branch are kept by a ref, the files are delivered as they are', async () => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    await tree.deliver(REQUEST);
    lab.gitIn(tree.path, 'checkout', '-q', '--detach', 'main');
    write(tree.path, 'c.txt', 'c\n');
    lab.gitIn(tree.path, 'add', 'c.txt');
    lab.gitIn(tree.path, 'commit', '-q', '-m', 'elsewhere');
    const { data } = await tree.deliver(REQUEST);
    const notes = JSON.stringify(data);
    expect(notes).toContain('a detached HEAD');
    const [kept = ''] = /refs\/loopwright\/[^\s"]+strayed-\w+/.exec(notes) ?? [];
    expect(lab.git('log', '-1', '--format=%s', kept).trim()).toBe('elsewhere');
    expect(lab.git('ls-tree', '--name-only', BRANCH)).not.toContain('b.txt');
  });

  it.each([
    ['gone', (path: string) => rmSync(join(path, '.git'))],
    [
      'a repository of its own',
      (path: string) => {
        rmSync(join(path, '.git'));
        lab.gitIn(path, 'init', '-q');
      },
    ],
    ['leading elsewhere', (path: string) => write(path, '.git', 'gitdir: /nowhere\n')],
  ])('a .git that is %s is put right and told', async (_what, spoil) => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    spoil(tree.path);
    const delivery = await tree.deliver(REQUEST);
    expect(JSON.stringify(delivery.data)).toContain('the .git');
    expect(lab.git('ls-tree', '--name-only', BRANCH)).toContain('b.txt');
  });

  it('a hook that appeared meanwhile is not run in the name of the user', async () => {
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    const mark = join(lab.base, 'hook-ran');
    lab.put('.git/hooks/pre-commit', `#!/bin/sh\ntouch "${mark}"\n`, 0o755);
    const delivery = await tree.deliver(REQUEST);
    expect(JSON.stringify(delivery.data)).toContain('hooks/pre-commit');
    expect(existsSync(mark)).toBe(false);
  });

  it("the user's own hook runs and may refuse", async () => {
    lab.put('.git/hooks/pre-commit', '#!/bin/sh\necho no good >&2\nexit 1\n', 0o755);
    const tree = await lab.prepare('local-git');
    write(tree.path, 'b.txt', 'b\n');
    await expect(tree.deliver(REQUEST)).rejects.toThrow(/pre-commit hook .* refused the commit: no good/);
    expect(lab.git('rev-list', '--count', `main..${BRANCH}`).trim()).toBe('0');
  });
});

describe('local-git mode, bad input', () => {
  it('falls back to the current branch when there is no main, with a note', async () => {
    lab.git('branch', '-q', '-m', 'trunk');
    const tree = await lab.prepare('local-git');
    expect(tree.notes).toEqual(['there is no branch main; the task begins from trunk']);
    write(tree.path, 'b.txt', 'b\n');
    expect((await tree.deliver(REQUEST)).artifacts.at(-1)).toMatchObject({ ref: `trunk..${BRANCH}` });
  });

  it.each([
    [{ base: 'develop' }, /has no branch "develop" to begin from/],
    [{ path: 'not-there' }, /LOCAL_REPO_PATH is .*not-there, which is not there/],
    [{ path: '..' }, /LOCAL_REPO_PATH is .* which is not a git repository/],
  ])('%j is told', async (settings, message) => {
    lab.settings = settings;
    await expect(lab.prepare('local-git')).rejects.toThrow(message);
  });

  it('works from a project in a folder of the repository', async () => {
    lab.put('packages/x/c.txt', 'c\n');
    lab.commit();
    lab.settings = { path: 'packages/x' };
    const { path, taskTree } = await lab.prepare('local-git');
    write(path, 'c.txt', 'more\n');
    write(path, '../../src/a.txt', 'outside\n');
    expect(await taskTree.changes()).toMatchObject({ changed: ['c.txt', '../../src/a.txt'] });
    expect((await taskTree.discard(['../../src/a.txt'])).discarded).toEqual(['../../src/a.txt']);
  });
});
