import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TreeCheckpoints } from '../checkpoints/tree-checkpoints.ts';
import { commitWork } from './commit-work.ts';
import { describeChange } from './describe-change.ts';
import { discard, keep } from './put-away.ts';
import { DeliveryLab, refusedOf } from './testing.ts';

let lab: DeliveryLab;
beforeEach(() => {
  lab = new DeliveryLab();
});
afterEach(() => lab.dispose());

describe('B-10 discard', () => {
  it('removes worktree, branch and checkpoints, names the last commit, and can be repeated', async () => {
    lab.work('a.txt', 'x\n');
    lab.gitIn(lab.worktree, 'commit', '-q', '-am', 'work');
    await new TreeCheckpoints(lab.worktree, 'S1').save(1);
    const commit = lab.git('rev-parse', 'session/S1').trim();
    expect(await discard(lab.options())).toEqual({
      kind: 'discarded',
      removed: [lab.worktree, 'refs/heads/session/S1', 'refs/loopwright/S1/1'],
      commit,
    });
    expect(existsSync(lab.worktree)).toBe(false);
    expect(lab.git('worktree', 'list', '--porcelain').match(/^worktree/gm)).toHaveLength(1);
    expect(await discard(lab.options())).toEqual({ kind: 'discarded', removed: [] });
  });

  it('never removes the user’s checkout or a branch that is in use elsewhere', async () => {
    const before = lab.state();
    const own = { ...lab.options(), worktree: lab.dir, branch: 'main' };
    expect(refusedOf(await discard(own))).toMatchObject({ reason: 'no-worktree' });
    expect(refusedOf(await discard({ ...lab.options(), branch: 'main' }))).toMatchObject({
      reason: 'wrong-branch',
    });
    expect(lab.state()).toEqual(before);
  });
});

describe('B-10 keep', () => {
  it('commits everything to the branch, and can be repeated, also without the worktree', async () => {
    lab.work('new.txt', 'x\n');
    const first = await keep(lab.options());
    expect(first).toMatchObject({ kind: 'kept', change: { files: [{ path: 'new.txt', kind: 'added' }] } });
    expect(await keep(lab.options())).toEqual(first);
    lab.git('worktree', 'remove', '--force', lab.worktree);
    expect(await keep(lab.options())).toEqual(first);
    const base = lab.git('rev-parse', 'main').trim();
    expect(await keep({ ...lab.options(), base })).toMatchObject({ kind: 'kept', change: { from: base } });
    expect(lab.log()).toEqual(['start']);
  });
});

describe('RUN-10 a local diff', () => {
  it('names base, branch, commit and the changed files, without what the base did since', async () => {
    lab.work('a.txt', 'better\nlonger\n');
    const work = await commitWork({ ...lab.options(), step: 4 });
    lab.put('b.txt', 'meanwhile\n');
    lab.commit('meanwhile');
    expect(await describeChange(lab.dir, 'main', 'session/S1')).toEqual({
      base: 'main',
      branch: 'session/S1',
      from: lab.git('rev-parse', 'main~1').trim(),
      commit: lab.git('rev-parse', 'session/S1').trim(),
      files: [{ path: 'a.txt', kind: 'modified', binary: false, insertions: 2, deletions: 1 }],
      insertions: 2,
      deletions: 1,
    });
    expect(work).toMatchObject({ kind: 'committed' });
    expect(
      lab.git('log', '-1', '--format=%(trailers:key=Loopwright-Step,valueonly)', 'session/S1').trim(),
    ).toBe('4');
    expect(lab.git('rev-list', '--count', 'main~1..session/S1').trim()).toBe('1');
    expect(await commitWork(lab.options())).toMatchObject({ kind: 'nothing-new' });
  });
});
