import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitWork } from './commit-work.ts';
import { DeliveryLab } from './testing.ts';

let lab: DeliveryLab;
beforeEach(() => {
  lab = new DeliveryLab();
});
afterEach(() => lab.dispose());

const commit = () =>
  commitWork({ worktree: lab.worktree, branch: 'session/S1', session: 'S1', message: 'Do it' });

describe('committing what a worktree holds', () => {
  it('shows a hook an index that is up to the files, and leaves one', async () => {
    lab.hook('pre-commit', 'git diff-files --exit-code --name-only >&2');
    lab.work('a.txt', 'mine\n');
    lab.work('new/c.txt', 'new\n');
    expect(await commit()).toMatchObject({ kind: 'committed' });
    expect(lab.gitIn(lab.worktree, 'diff-files', '--name-only')).toBe('');
    expect(lab.gitIn(lab.worktree, 'status', '--porcelain')).toBe('');
    expect(await commit()).toMatchObject({ kind: 'nothing-new' });
  });

  it('names a file in conflict once, however many sides it has', async () => {
    lab.put('a.txt', 'theirs\n');
    lab.commit('on main');
    lab.work('a.txt', 'mine\n');
    lab.gitIn(lab.worktree, 'commit', '-qam', 'on the branch');
    expect(() => lab.gitIn(lab.worktree, 'merge', '-q', 'main')).toThrow();
    expect(await commit()).toMatchObject({ kind: 'refused', reason: 'unmerged', files: ['a.txt'] });
  });
});
