import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loopwright, tempFolder, write } from './support.ts';
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
  WRITES,
} from './workspace-support.ts';

describe('where the edits of a run land', () => {
  it('B-01 RUN-06 in a worktree on a branch of its own; checkout, index, stash and branch stay as they are', async () => {
    const cwd = repository();
    write(cwd, { 'a.txt': 'stashed\n' });
    git(cwd, 'stash');
    write(cwd, { 'staged.txt': 'staged\n' });
    git(cwd, 'add', 'staged.txt');
    write(cwd, { 'a.txt': 'mine\n' });
    const before = photographOf(cwd);
    const { id, worktree, ended } = await runToEnd(cwd);
    expect(ended.stdout).toContain(`works in its own worktree, on branch loopwright/${id}`);
    expect(ended.stdout).toContain('2 uncommitted files of');
    expect(ended.stdout).toContain('--include-dirty copies them in');
    expect(photographOf(cwd)).toEqual(before);
    expect([read(worktree, 'a.txt'), read(worktree, 'b.txt')]).toEqual(['one\n', 'two\n']);
    expect(existsSync(join(worktree, 'staged.txt'))).toBe(false);
    expect(git(worktree, 'branch', '--show-current')).toBe(`loopwright/${id}`);
    expect(git(cwd, 'status', '--porcelain').split('\n')).toHaveLength(2);
  });

  it('B-10 a finished run offers to look at, accept or discard the result', async () => {
    const cwd = repository();
    const { ended } = await runToEnd(cwd);
    expect(ended.stdout).toMatch(/next: see what it changed\n.*diff \w{6}\nor: {3}bring it.*\n.*accept/);
  });

  it('--include-dirty copies staged, changed and untracked files in', async () => {
    const cwd = repository();
    write(cwd, { 'w.json': flow(['write', 'c.txt', 'three\n']), 'new.txt': 'new\n' });
    const { worktree, ended } = await runToEnd(cwd, { args: ['--include-dirty'] });
    expect(ended.stdout).toContain('2 uncommitted files of');
    expect(ended.stdout).toContain('copied in');
    expect([read(worktree, 'new.txt'), read(worktree, 'c.txt')]).toEqual(['new\n', 'three\n']);
  });

  it('RUN-06 LOCAL_WORKTREE_ROOT says where worktrees go', async () => {
    const cwd = repository();
    const root = tempFolder();
    const { id } = await runToEnd(cwd, { env: { LOCAL_WORKTREE_ROOT: root } });
    expect(readdirSync(root)).toEqual([id]);
    expect(read(join(root, id), 'b.txt')).toBe('two\n');
  });

  it('a project in a subfolder works in the same subfolder of the worktree', async () => {
    const cwd = repository();
    const project = join(cwd, 'packages/päck one');
    write(project, { 'act.mjs': read(cwd, 'act.mjs'), 'w.json': WRITES });
    commitAll(cwd, 'a package');
    const { id } = await runToEnd(project, { args: ['--plan', 'a.txt'] });
    const worktree = join(cwd, '.loopwright/worktrees', id);
    expect(read(worktree, 'packages/päck one/b.txt')).toBe('two\n');
    expect([read(worktree, 'a.txt'), existsSync(join(project, 'b.txt'))]).toEqual(['zero\n', false]);
    expect(git(cwd, 'status', '--porcelain')).toBe('');
    const { files } = await document<{ files: { path: string }[] }>(['diff', id], project);
    expect(files.map(({ path }) => path)).toEqual(['packages/päck one/a.txt', 'packages/päck one/b.txt']);
    expect((await loopwright(['accept', id], { cwd: project })).code).toBe(0);
    expect(read(project, 'b.txt')).toBe('two\n');
  });

  it('--in-place works on the project itself and keeps no checkpoints', async () => {
    const cwd = repository();
    const { id, ended } = await runToEnd(cwd, { args: ['--in-place'] });
    expect(ended.stdout).toContain('works in place: there are no checkpoints');
    expect([read(cwd, 'b.txt'), git(cwd, 'for-each-ref', 'refs/loopwright')]).toEqual(['two\n', '']);
    for (const command of [
      ['diff'],
      ['timeline'],
      ['accept'],
      ['rewind', '--to', '1'],
      ['fork', '--at', '1'],
      ['hold'],
    ]) {
      const refused = await loopwright([...command, id], { cwd });
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('worked in place')]);
    }
  });

  it('outside a repository it works in place and says so', async () => {
    const cwd = tempFolder();
    write(cwd, { 'w.json': WRITES, 'act.mjs': read(repository(), 'act.mjs') });
    const { ended } = await runToEnd(cwd);
    expect(ended.stdout).toContain('not a git repository, so it works in place');
    expect(read(cwd, 'b.txt')).toBe('two\n');
  });

  it('a repository without commits is refused with the way out, and nothing is made', async () => {
    const cwd = tempFolder();
    git(cwd, 'init', '-q', '-b', 'main');
    identify(cwd);
    write(cwd, { 'w.json': WRITES });
    const refused = await loopwright(['run', 'x', '-w', 'w.json'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has no commits yet')]);
    expect(refused.stderr).toContain('next: Make the first commit: git commit --allow-empty');
    expect(await document(['sessions'], cwd)).toEqual([]);
    expect(git(cwd, 'for-each-ref')).toBe('');
  });

  it('--base starts elsewhere; an unknown one is answered with the likely name', async () => {
    const cwd = repository();
    git(cwd, 'branch', 'release');
    write(cwd, { 'later.txt': 'later\n' });
    commitAll(cwd, 'later');
    const refused = await loopwright(['run', 'x', '-w', 'w.json', '--base', 'relaese'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Did you mean "release"?')]);
    expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);
    const { worktree } = await runToEnd(cwd, { args: ['--base', 'release'] });
    expect([read(worktree, 'later.txt'), read(worktree, 'b.txt')]).toEqual([undefined, 'two\n']);
  });

  it('checks that are red before the work began are reported and given to the worker', async () => {
    const test = {
      worker: 'Internal:TestRunner',
      transitions: [
        { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
        { on_signal: 'SIGNAL:FAILURE', action: 'RETURN' },
      ],
    };
    const nodes = { Main: { entry_block: 'Test', blocks: { Test: test } } };
    const cwd = repository({ 'w.json': { nodes } });
    write(cwd, { '.loopwright/config.json': { commands: { test: ['node', '-e', 'process.exit(3)'] } } });
    const { id, ended } = await runToEnd(cwd);
    expect(ended.stdout).toContain('red before the work began: test ended with exit code 3');
    const shown = await loopwright(['show', id, '--payload'], { cwd });
    expect(shown.stdout).toContain('BASELINE');
  });

  it('a setup that fails ends the run, names its log and leaves nothing', async () => {
    const cwd = repository();
    write(cwd, {
      '.loopwright/config.json': {
        worktrees: { setup: [['node', '-e', 'console.log("no network"); process.exit(4)']] },
      },
    });
    const refused = await loopwright(['run', 'x', '-w', 'w.json'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('ended with exit code 4')]);
    const log = /Read (.*setup-1\.log)/.exec(refused.stderr)?.[1] ?? '';
    expect(readFileSync(log, 'utf8')).toBe('no network\n');
    expect([
      git(cwd, 'branch', '--list', 'loopwright/*'),
      readdirSync(join(cwd, '.loopwright/worktrees')),
    ]).toEqual(['', []]);
  });

  it('a damaged database is named with the way out, and nothing is left of the run', async () => {
    const cwd = repository();
    write(cwd, { '.loopwright/loopwright.db': 'this is no database, whatever it is called'.repeat(50) });
    const refused = await loopwright(['run', 'x', '-w', 'w.json'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('loopwright.db is damaged')]);
    expect(refused.stderr).toContain('next: Move it aside');
    expect(git(cwd, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(await document(['worktrees'], cwd)).toEqual({ worktrees: [], findings: [] });
  });

  it('B-01 at the start disk, git and sessions are compared, and what was found is reported', async () => {
    const cwd = repository();
    write(cwd, { '.loopwright/worktrees/stray/file': '' });
    const { ended } = await runToEnd(cwd);
    expect(ended.stdout).toContain('stray lies among the worktrees but is not known as one');
  });
});
