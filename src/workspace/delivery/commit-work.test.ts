import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

  it('says who is writing the index, and leaves it alone', async () => {
    lab.work('a.txt', 'mine\n');
    const gitDir = lab.gitIn(lab.worktree, 'rev-parse', '--absolute-git-dir').trim();
    writeFileSync(join(gitDir, 'index.lock'), '');
    const before = readFileSync(join(gitDir, 'index'));
    expect(await commit()).toMatchObject({ kind: 'refused', reason: 'locked' });
    expect(readFileSync(join(gitDir, 'index'))).toEqual(before);
    rmSync(join(gitDir, 'index.lock'));
    expect(await commit()).toMatchObject({ kind: 'committed' });
    expect(lab.gitIn(lab.worktree, 'fsck', '--no-dangling')).toBe('');
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
