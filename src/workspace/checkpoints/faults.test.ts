import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunGit } from '../git/bound-git.ts';
import { runGit } from '../git/run-git.ts';
import { CheckpointLab, saved } from './testing.ts';
import { TreeCheckpoints } from './tree-checkpoints.ts';

let lab: CheckpointLab;
beforeEach(() => {
  lab = new CheckpointLab();
});
afterEach(() => lab.dispose());

describe('when something stands in the way', () => {
  it('a lock on the user’s index does not matter', async () => {
    for (const dir of [lab.dir, lab.tree]) {
      writeFileSync(join(lab.gitDirOf(dir), 'index.lock'), '');
    }
    const checkpoints = lab.open();
    lab.work('c.txt', '1');
    await checkpoints.save(1);
    lab.work('c.txt', '2');
    expect((await checkpoints.restore(1)).changed).toEqual(['c.txt']);
  });

  it('a lock that a killed git left on one of our refs is removed', async () => {
    const lock = join(lab.dir, '.git/refs/loopwright/S1/1.lock');
    mkdirSync(join(lock, '..'), { recursive: true });
    writeFileSync(lock, '');
    utimesSync(lock, 1, 1);
    lab.work('c.txt', '1');
    await lab.open().save(1);
    expect(existsSync(lock)).toBe(false);
  });

  it('a full disk is called that, and what was saved stays', async () => {
    lab.work('c.txt', '1');
    const before = saved(await lab.open().save(1));
    lab.work('c.txt', '2');
    for (const command of ['add', 'write-tree', 'update-ref']) {
      const run: RunGit = (args, options) =>
        args.includes(command)
          ? Promise.resolve({ code: 128, stdout: '', stderr: 'fatal: write error: No space left on device' })
          : runGit(args, options);
      await expect(lab.open({ run }).save(2)).rejects.toThrow(/disk is full/);
    }
    expect((await lab.open().list()).map(({ commit }) => commit)).toEqual([before.commit]);
    expect(saved(await lab.open().save(2)).changed).toEqual(['c.txt']);
  });

  it('a disk that is really full loses nothing, and once there is room it continues', async ({ skip }) => {
    const tiny = join(lab.base, 'tiny');
    mkdirSync(tiny);
    // Root in a container may not mount either.
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', tiny], { stdio: 'ignore' });
    if (mounted.status !== 0) skip('nothing can be mounted here');
    try {
      lab.gitIn(tiny, 'init', '-q');
      const checkpoints = new TreeCheckpoints(tiny, 'S1');
      writeFileSync(join(tiny, 'x'), '1');
      const { commit } = saved(await checkpoints.save(1));
      // What does not compress needs its room twice.
      writeFileSync(join(tiny, 'big'), randomBytes(600 * 1024));
      await expect(checkpoints.save(2)).rejects.toThrow(/disk is full/);
      lab.gitIn(tiny, 'fsck', '--strict');
      expect((await checkpoints.list()).map((kept) => kept.commit)).toEqual([commit]);
      writeFileSync(join(tiny, 'big'), 'small');
      expect(saved(await checkpoints.save(2)).changed).toEqual(['big']);
    } finally {
      spawnSync('umount', [tiny]);
    }
  });

  it('a folder that is not a repository and a name that is not a session are reported', async () => {
    await expect(new TreeCheckpoints(lab.base, 'S1').save(1)).rejects.toThrow(/not in a git repository/);
    expect(() => new TreeCheckpoints(lab.tree, '../x')).toThrow(/not a session id/);
    await expect(lab.open().save(-1)).rejects.toThrow(/not the number of a step/);
    await expect(lab.open().restore('last')).rejects.toThrow(/names no checkpoint/);
  });

  it('others that look at the same worktree at the same moment do not disturb', async () => {
    const several = [lab.open(), lab.open(), lab.open()];
    for (let round = 1; round < 6; round++) {
      lab.work('c.txt', String(round));
      const [first, ...others] = several;
      const [result, ...trees] = await Promise.all([first!.save(round), ...others.map((one) => one.tree())]);
      expect(new Set([saved(result).tree, ...trees]).size).toBe(1);
    }
  });
});
