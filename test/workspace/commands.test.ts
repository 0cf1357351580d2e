import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AgentRunner } from '../../src/agents/runner/pty.ts';
import { createMasker } from '../../src/kernel/mask.ts';
import { shortId } from '../../src/kernel/short-ids.ts';
import { appears, loopwright, ROOT, start, tempFolder, write } from '../cli/support.ts';
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
  sessionIn,
} from '../cli/workspace-support.ts';
import { killEverywhere, killingGit } from './killing-git.ts';

const THREE = flow(['write', 'a.txt', 'one\n'], ['write', 'b.txt', 'two\n'], ['write', 'c.txt', 'three\n']);
const fsck = (cwd: string) => git(cwd, 'fsck', '--strict', '--no-dangling');
const refsOf = (cwd: string, id: string) => git(cwd, 'for-each-ref', `refs/loopwright/${id}/`);

describe('clean', () => {
  it('takes worktree, branch, checkpoints and logs of a delivered session along', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    write(cwd, { [`.loopwright/logs/${id}/setup-1.log`]: 'x' });
    expect((await loopwright(['accept', id], { cwd })).code).toBe(0);
    const dry = await document<object>(['clean', '--dry-run'], cwd);
    expect(dry).toMatchObject({ deleted: false, filesKept: {} });
    expect(existsSync(worktree)).toBe(true);
    expect((await loopwright(['clean', '--yes'], { cwd })).code).toBe(0);
    expect([existsSync(worktree), refsOf(cwd, id), git(cwd, 'branch', '--list', 'loopwright/*')]).toEqual([
      false,
      '',
      '',
    ]);
    expect(existsSync(join(cwd, '.loopwright/logs', id))).toBe(false);
  });

  it('keeps a session whose work is nowhere else, and says why; named and forced, all of it goes', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    const { code, stdout } = await loopwright(['clean', '--yes'], { cwd });
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /0 sessions to delete[^]*\w{6} is kept: .*uncommitted changes.* Accept it or discard it\./,
      ),
    ]);
    const refused = await loopwright(['clean', id, '--yes'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/is kept, with its files: .*uncommitted[^]*next: .* clean \w{6} --force\n/),
    ]);
    expect((await loopwright(['clean', '--yes', '--force'], { cwd })).code).toBe(0);
    expect(await document(['clean', '--dry-run'], cwd)).toMatchObject({
      sessions: [],
      kept: 1,
      undelivered: { [id]: expect.stringContaining('uncommitted') as string },
    });
    expect(await document<object>(['sessions'], cwd)).toMatchObject([{ id }]);
    expect([read(worktree, 'b.txt'), refsOf(cwd, id)]).toEqual(['two\n', expect.stringContaining(id)]);
    expect((await loopwright(['clean', id, '--yes', '--force'], { cwd })).code).toBe(0);
    expect([existsSync(worktree), refsOf(cwd, id), git(cwd, 'branch', '--list', 'loopwright/*')]).toEqual([
      false,
      '',
      '',
    ]);
    expect(await document<object>(['sessions'], cwd)).toEqual([]);
  });

  it('takes a session whose work was kept on its branch, and leaves the branch', async () => {
    const cwd = repository();
    const { id } = await runToEnd(cwd);
    await document(['keep', id], cwd);
    const { stdout } = await loopwright(['clean', '--yes'], { cwd });
    expect(stdout).toContain(`the files of ${shortId(id)} stay`);
    expect(await document<object>(['sessions'], cwd)).toEqual([]);
    expect(git(cwd, 'show', `loopwright/${id}:b.txt`)).toBe('two');
  });
});

describe('hold, on another clone', () => {
  it('B-02 B-04 keeps the plan it was started with', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id } = await runToEnd(cwd, { code: 2, args: ['--step', '--plan', 'src/api/**'] });
    expect((await loopwright(['hold', id], { cwd })).code).toBe(0);
    const clone = tempFolder();
    git(clone, 'clone', '-q', '-b', 'main', cwd, '.');
    identify(clone);
    git(clone, 'fetch', '-q', 'origin', `refs/loopwright/${id}/held:refs/loopwright/${id}/held`);
    await document(['unhold', id], clone);
    const plans = await document<{ sessions: object[] }>(['conflicts'], clone);
    expect(plans.sessions).toMatchObject([{ id, status: 'held' }]);
    const args = ['run', 'x', '-w', 'w.json', '--plan', 'src/api/x.ts', '--no-wait'];
    const other = await loopwright(args, { cwd: clone });
    expect([other.code, other.stdout]).toEqual([
      2,
      expect.stringContaining(`planned by session ${shortId(id)}`),
    ]);
    expect((await loopwright(['resume', id], { cwd: clone })).code).toBe(0);
  });
});

describe('a bare clone', () => {
  it('B-04 diff, timeline and fork work from the checkpoints when the worktree is gone', async () => {
    const origin = repository({ 'w.json': THREE });
    const cwd = tempFolder();
    git(cwd, 'clone', '-q', '--bare', origin, '.');
    identify(cwd);
    write(cwd, { 'w.json': THREE });
    const { id } = await runToEnd(cwd);
    expect((await loopwright(['worktrees', 'gc', '--force'], { cwd })).code).toBe(0);
    expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);
    const change = await document<{ files: { path: string }[] }>(['diff', id], cwd);
    expect(change.files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt', 'c.txt']);
    const steps = await document<{ checkpoints: { step: number }[] }>(['timeline', id], cwd);
    expect(steps.checkpoints.map(({ step }) => step)).toEqual([0, 1, 2, 3]);
    const fork = await document<{ worktree: string }>(['fork', id, '--at', '2', '--no-run'], cwd);
    expect([read(fork.worktree, 'b.txt'), read(fork.worktree, 'c.txt')]).toEqual(['two\n', undefined]);
  });
});

describe('submodules', () => {
  it('B-01 are left alone and reported; the result is accepted around them', async () => {
    const library = repository();
    const cwd = repository({ 'w.json': THREE });
    git(cwd, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
    commitAll(cwd, 'with a library');
    const pinned = git(cwd, 'rev-parse', 'HEAD:lib');
    const before = photographOf(join(cwd, 'lib'));
    const { id, worktree, ended } = await runToEnd(cwd);
    expect(ended.stdout).toContain('submodules are left alone: lib');
    expect(read(worktree, 'lib/act.mjs')).toBeUndefined();
    expect((await loopwright(['accept', id], { cwd })).code).toBe(0);
    expect([git(cwd, 'rev-parse', 'HEAD:lib'), git(cwd, 'status', '--porcelain')]).toEqual([pinned, '']);
    expect(photographOf(join(cwd, 'lib'))).toEqual(before);
    expect(read(cwd, 'c.txt')).toBe('three\n');
    expect((await loopwright(['clean', '--yes'], { cwd })).code).toBe(0);
    expect(git(cwd, 'worktree', 'list').split('\n')).toHaveLength(1);
  });
});

// At every git command before which or by which something was written; LOOPWRIGHT_FAULTS=every takes the others too.
describe('kills inside a command', () => {
  it('hold: every point leaves a clean repository and a session that can be held', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id } = await runToEnd(cwd, { code: 2, args: ['--step'] });
    expect((await loopwright(['step', id], { cwd })).code).toBe(2);
    const points = await killEverywhere(['hold', id], cwd, () => expect(fsck(cwd)).toBe(''));
    expect(points).toBeGreaterThan(5);
    expect(git(cwd, 'show', `refs/loopwright/${id}/held:files/a.txt`)).toBe('one');
    expect((await loopwright(['resume', id], { cwd })).code).toBe(0);
  });

  it('accept: every point leaves a clean repository, and the work arrives exactly once', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id } = await runToEnd(cwd);
    const points = await killEverywhere(['accept', id], cwd, () => expect(fsck(cwd)).toBe(''));
    expect(points).toBeGreaterThan(8);
    expect(git(cwd, 'rev-list', '--count', 'main')).toBe('2');
    expect([git(cwd, 'status', '--porcelain'), read(cwd, 'c.txt')]).toEqual(['', 'three\n']);
  });

  it('rewind: a kill between the journal and the files is finished by the next command', async () => {
    const cwd = repository({ 'w.json': THREE });
    const { id, worktree } = await runToEnd(cwd);
    const run = killingGit(cwd);
    const shown = async () => document<{ status: string; step: number }>(['show', id], cwd);
    let between = false;
    for (let at = 1; !between; at++) {
      const { code } = await run(['rewind', id, '--to', '1'], { at, when: 'before' });
      expect(code).toBeNull();
      between = (await shown()).status === 'halted' && read(worktree, 'c.txt') !== undefined;
    }
    const stepped = await loopwright(['step', id], { cwd });
    expect([stepped.code, stepped.stdout]).toEqual([
      2,
      expect.stringContaining('its files were not yet back at step 1; that is finished'),
    ]);
    expect([read(worktree, 'b.txt'), read(worktree, 'c.txt')]).toEqual(['two\n', undefined]);
    expect(refsOf(cwd, id)).toContain('/aside/');
    // Three before the rewind and two after it: what was spent stays spent.
    expect((await loopwright(['resume', id], { cwd })).stdout).toContain('completed in 5 steps');
    expect(fsck(cwd)).toBe('');
  });
});

describe('waiting', () => {
  it('B-03 with --base the wait changes nothing about where it begins', async () => {
    const cwd = repository({ 'w.json': flow(['write', 'b.txt', 'x\n'], ['write', 'c.txt', 'y\n']) });
    const plan = ['-w', 'w.json', '--plan', 'src/**'];
    const blocker = await loopwright(['run', 'one', '--step', ...plan], { cwd });
    const run = start(['run', 'two', '--base', 'main', ...plan], { cwd });
    await run.saw('waits');
    write(cwd, { 'new.txt': 'came meanwhile\n' });
    commitAll(cwd, 'meanwhile');
    expect((await loopwright(['abort', sessionIn(blocker.stdout)], { cwd })).code).toBe(0);
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(read(join(cwd, '.loopwright/worktrees', sessionIn(stdout)), 'new.txt')).toBeUndefined();
  });

  it('B-03 the base as it is when the wait ends, even after a kill in the first step', async () => {
    const control = tempFolder();
    const held = flow(['write', 'b.txt', 'x\n'], ['write', 'c.txt', 'y\n']);
    const cwd = repository({
      'held.json': held,
      'w.json': flow(['wait', control, 'x'], ['write', 'd.txt', 'd\n']),
    });
    const blocker = await loopwright(['run', 'one', '-w', 'held.json', '--step', '--plan', 'src/**'], {
      cwd,
    });
    const run = start(['run', 'two', '-w', 'w.json', '--plan', 'src/**'], { cwd });
    await run.saw('waits');
    write(cwd, { 'new.txt': 'came meanwhile\n' });
    commitAll(cwd, 'meanwhile');
    expect((await loopwright(['abort', sessionIn(blocker.stdout)], { cwd })).code).toBe(0);
    await appears(control, 'x.started');
    run.child.kill('SIGKILL');
    const id = sessionIn((await run.ended).stdout);
    const worktree = join(cwd, '.loopwright/worktrees', id);
    expect(read(worktree, 'new.txt')).toBe('came meanwhile\n');
    write(control, { 'x.go': '' });
    expect((await loopwright(['resume', id], { cwd })).code).toBe(0);
    expect([read(worktree, 'new.txt'), read(worktree, 'd.txt')]).toEqual(['came meanwhile\n', 'd\n']);
    const change = await document<{ files: { path: string }[] }>(['diff', id], cwd);
    expect(change.files.map(({ path }) => path)).toEqual(['d.txt']);
    expect((await loopwright(['accept', id], { cwd })).code).toBe(0);
    expect([read(cwd, 'new.txt'), read(cwd, 'd.txt')]).toEqual(['came meanwhile\n', 'd\n']);
  });
});

describe('discard on a terminal', () => {
  it('B-10 asks: everything but yes keeps the work, yes deletes it', async () => {
    const cwd = repository();
    const { id, worktree } = await runToEnd(cwd);
    expect(await answered(['discard', id], cwd, 'n')).toBe(1);
    expect(read(worktree, 'b.txt')).toBe('two\n');
    expect(await answered(['discard', id], cwd, 'y')).toBe(0);
    expect([existsSync(worktree), refsOf(cwd, id)]).toEqual([false, '']);
  });
});

/** Runs the command on a terminal of its own and answers its question; gives the exit code. */
async function answered(args: readonly string[], cwd: string, answer: string): Promise<unknown> {
  const command = [join(ROOT, 'dist/bin/loopwright.js'), ...args];
  const runner = new AgentRunner({
    adapter: { name: 'terminal', getLaunchConfig: () => ({ command: process.execPath, args: command }) },
    cwd,
    env: { ...process.env },
    masker: createMasker([]),
  });
  onTestFinished(() => runner.stop());
  let seen = '';
  runner.events.subscribe((event) => {
    if (event.type !== 'data') return;
    const asked = seen.includes('[y/N]');
    seen += event.clean;
    if (!asked && seen.includes('[y/N]')) runner.send(`${answer}\r`);
  });
  await runner.start();
  const end = await runner.ended;
  expect(seen).toContain('Delete the worktree, branch and checkpoints of session');
  return end.kind === 'exited' ? end.code : end.kind;
}
