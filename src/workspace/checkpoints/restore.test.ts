import {
  chmodSync,
  existsSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MissingCheckpointError } from './checkpoint-list.ts';
import { CheckpointLab, saved } from './testing.ts';
import { TreeCheckpoints } from './tree-checkpoints.ts';

let lab: CheckpointLab;
beforeEach(() => {
  lab = new CheckpointLab();
});
afterEach(() => lab.dispose());

describe('restoring a tree', () => {
  it('adds, changes and deletes exactly, and keeps ignored and copied-in files', async () => {
    const checkpoints = lab.open({ exclude: ['local.cfg'] });
    lab.work('link-target', 'x');
    symlinkSync('link-target', join(lab.tree, 'link'));
    chmodSync(join(lab.tree, 'a.txt'), 0o755);
    lab.work('local.cfg', 'mine');
    lab.work('noise.log', 'noise');
    await checkpoints.save(1);
    lab.work('a.txt', 'broken\n');
    lab.work('half/done.txt', 'half');
    rmSync(join(lab.tree, 'src'), { recursive: true });
    unlinkSync(join(lab.tree, 'link'));
    lab.work('link/now-a-folder.txt', 'x');
    lab.work('local.cfg', 'still mine');
    const result = await checkpoints.restore(1);
    expect(await checkpoints.tree()).toBe(result.tree);
    expect([lab.read('a.txt'), lab.read('src/b.txt')]).toEqual(['one\n', 'two\n']);
    expect(readlinkSync(join(lab.tree, 'link'))).toBe('link-target');
    expect(statSync(join(lab.tree, 'a.txt')).mode & 0o111).not.toBe(0);
    expect(existsSync(join(lab.tree, 'half'))).toBe(false);
    expect([lab.read('local.cfg'), lab.read('noise.log')]).toEqual(['still mine', 'noise']);
    expect(lab.filesOf(result.aside!.ref)).toContain('half/done.txt');
    expect(lab.git('show', `${result.aside!.ref}:a.txt`)).toBe('broken\n');
  });

  it('puts nothing aside that a ref already names', async () => {
    const checkpoints = lab.open();
    expect(await checkpoints.save(0)).toMatchObject({ changed: [] });
    lab.work('c.txt', '1');
    await checkpoints.save(1);
    expect(await checkpoints.restore(0)).not.toHaveProperty('aside');
    expect(await checkpoints.restore(1)).not.toHaveProperty('aside');
    expect(await checkpoints.restore(1)).toMatchObject({ changed: [] });
  });

  it('keeps aside an ignored file that stands in the way of one that comes back', async () => {
    const checkpoints = lab.open();
    lab.work('out.txt', 'saved');
    await checkpoints.save(1);
    lab.work('.gitignore', 'out.txt\n');
    lab.gitIn(lab.tree, 'rm', '-q', '--cached', '--ignore-unmatch', 'out.txt');
    rmSync(join(lab.gitDirOf(lab.tree), 'loopwright/indexes'), {
      recursive: true,
    });
    lab.work('out.txt', 'later work');
    const { aside } = await lab.open().restore(1);
    expect(lab.read('out.txt')).toBe('saved');
    expect(lab.git('show', `${aside!.ref}:out.txt`)).toBe('later work');
  });

  it.each([
    ['a folder of ignored files', 'x/y', 'x/y/deep.log'],
    ['an ignored file', 'x/y/z.txt', 'x.log'],
  ])('keeps aside %s that stands where a file comes back', async (_, path, ignored) => {
    lab.work('.gitignore', '*.log\n');
    const checkpoints = lab.open();
    await checkpoints.save(0);
    const file = ignored === 'x.log' ? path.replace('x/', 'x.log/') : path;
    lab.work(file, 'saved');
    if (ignored === 'x.log') lab.gitIn(lab.tree, 'add', '-f', file);
    await checkpoints.save(1);
    rmSync(join(lab.tree, file.split('/')[0]!), { recursive: true });
    lab.gitIn(lab.tree, 'rm', '-q', '-r', '--cached', '--ignore-unmatch', file);
    await checkpoints.save(2);
    lab.work(ignored, 'ignored work');
    const { aside } = await checkpoints.restore(1);
    expect(lab.read(file)).toBe('saved');
    expect(lab.git('show', `${aside!.ref}:${ignored}`)).toBe('ignored work');
  });

  it('goes to a fork in another worktree by ref, step of a task or commit', async () => {
    lab.work('c.txt', '1');
    const { commit } = saved(await lab.open().save(4, { task: 'build: a/b..lock' }));
    expect(commit).toBe(lab.git('rev-parse', 'refs/loopwright/S1/4.build%3a%20a%2fb%2e%2elock').trim());
    expect((await lab.open().list())[0]).toMatchObject({ step: 4, task: 'build: a/b..lock' });
    const other = join(lab.base, 'fork');
    lab.git('worktree', 'add', '-q', '-b', 'fork', other);
    const fork = new TreeCheckpoints(other, 'S2');
    expect(await fork.restore(commit)).toMatchObject({ changed: ['c.txt'] });
    expect(readFileSync(join(other, 'c.txt'), 'utf8')).toBe('1');
    expect((await fork.restore('refs/loopwright/S1/4.build%3a%20a%2fb%2e%2elock')).changed).toEqual([]);
  });

  it('continues from a restored step as its child', async () => {
    const checkpoints = lab.open();
    lab.work('c.txt', '1');
    const first = saved(await checkpoints.save(1));
    lab.work('c.txt', '2');
    await checkpoints.save(2);
    await checkpoints.restore(1);
    lab.work('c.txt', '3');
    const third = saved(await checkpoints.save(3));
    expect(lab.git('rev-parse', `${third.commit}^`).trim()).toBe(first.commit);
    expect((await checkpoints.list()).map(({ step }) => step)).toEqual([1, 2, 3]);
    expect(await checkpoints.at(2)).toMatchObject({ step: 2 });
  });

  it('names a ref that was removed by hand, and what is still there', async () => {
    const checkpoints = lab.open();
    for (const step of [1, 2, 3]) {
      lab.work('c.txt', String(step));
      await checkpoints.save(step);
    }
    lab.git('update-ref', '-d', 'refs/loopwright/S1/2');
    await expect(checkpoints.restore(2)).rejects.toThrow(MissingCheckpointError);
    await expect(checkpoints.restore(2)).rejects.toThrow(/refs\/loopwright\/S1\/2 .*still there: 1, 3/);
    expect(lab.read('c.txt')).toBe('3');
    await expect(new TreeCheckpoints(lab.tree, 'S9').restore(1)).rejects.toMatchObject({
      next: { label: expect.stringContaining('git fetch origin') },
    });
  });
});
