import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pruneCheckpoints } from './prune.ts';
import { CheckpointLab } from './testing.ts';
import { TreeCheckpoints } from './tree-checkpoints.ts';

let lab: CheckpointLab;
beforeEach(() => {
  lab = new CheckpointLab();
});
afterEach(() => lab.dispose());

describe('looking at checkpoints', () => {
  it('shows a timeline and differences', async () => {
    const checkpoints = lab.open();
    await checkpoints.save(0);
    lab.work('c.txt', 'c\nd\n');
    lab.work('a.txt', 'two\nlines\n');
    await checkpoints.save(1);
    unlinkSync(join(lab.tree, 'c.txt'));
    lab.gitIn(lab.tree, 'mv', 'src/b.txt', 'src/moved.txt');
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
    lab.work('now.bin', 'x\0y');
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
    lab.work('c.txt', '1');
    await lab.open().save(1);
    await new TreeCheckpoints(lab.tree, 'S2').save(1);
    const refs = () => lab.git('for-each-ref', '--format=%(refname)', 'refs/loopwright/').trim().split('\n');
    expect(refs()).toEqual(['refs/loopwright/S1/1', 'refs/loopwright/S2/1']);
    expect(await pruneCheckpoints(lab.dir, 'S1')).toEqual(['refs/loopwright/S1/1']);
    expect(await pruneCheckpoints(lab.dir, 'S1')).toEqual([]);
    expect(refs()).toEqual(['refs/loopwright/S2/1']);
  });
});
