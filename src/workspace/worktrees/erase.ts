import { rm } from 'node:fs/promises';
import { BoundGit } from '../git/bound-git.ts';
import { GitError } from '../git/git-error.ts';
import { explainGitLock } from '../git/git-locks.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { adminEntryOf, dropEmptyAdminHome, gitDirNamedIn } from './admin-entry.ts';
import type { WorktreeHome } from './home.ts';
import { healMoved, isBelow } from './moved.ts';
import { forgetOwner } from './owners.ts';
import { dropRecord, readRecord, type WorktreeRecord, writeRecord } from './record.ts';

/**
 * Takes away the folder, git's entry and, where that was decided, the branch. Each part may be there, half
 * there or gone: so it undoes a creation, does a removal, and finishes either one after a kill. The record
 * goes last, so an interruption is found again.
 */
export async function eraseWorktree(home: WorktreeHome, record: WorktreeRecord): Promise<void> {
  const { repo, onStep } = home;
  const { id, path } = record;
  onStep('removing-folder', id);
  await removeFolder(repo.commonDir, repo.dir, path);
  const expected = record.state === 'creating' ? record.baseCommit : undefined;
  if (record.state === 'creating' ? record.ownBranch : record.deleteBranch) {
    onStep('removing-branch', id);
    await removeBranch(repo.dir, record.branch, expected);
  }
  onStep('forgetting', id);
  forgetOwner(repo.commonDir, id);
  await dropRecord(repo.commonDir, id);
}

/** Completes what a killed process left of a worktree, and follows one that was moved, before it is used. */
export function finishLeftover(
  home: WorktreeHome,
  id: string,
): Promise<'half-made' | 'half-restored' | 'half-removed' | undefined> {
  return withRepoLock(home.repo, async () => {
    const record = await readRecord(home.repo.commonDir, id);
    // Whoever holds the lock is the only one at work, so an unfinished record has no living author.
    if (!record) return undefined;
    if (record.state === 'ready') {
      await healMoved(home, record);
      return undefined;
    }
    if (record.state === 'restoring') {
      await removeFolder(home.repo.commonDir, home.repo.dir, record.path);
      await writeRecord(home.repo.commonDir, { ...record, state: 'ready' });
      return 'half-restored';
    }
    await eraseWorktree(home, record);
    return record.state === 'creating' ? 'half-made' : 'half-removed';
  });
}

/** Removes a folder with git's entry of it; where the folder is gone, that entry and no other. */
export async function removeFolder(commonDir: string, cwd: string, path: string): Promise<void> {
  // In a copied repository the records still name the original's folders.
  const named = await gitDirNamedIn(path);
  if (named !== undefined && !isBelow(commonDir, named)) return;
  // Twice: also when it is locked, as git itself does while it adds one.
  await new BoundGit(cwd).try(['worktree', 'remove', '--force', '--force', path]);
  await rm(path, { recursive: true, force: true, maxRetries: 3 });
  const entry = await adminEntryOf(commonDir, path);
  // Git does not recognise an entry that it was killed over while writing it.
  if (entry) await rm(entry.dir, { recursive: true, force: true });
  await dropEmptyAdminHome(commonDir);
}

/** With an expected commit, only while it is still there: git compares and deletes in one step. */
async function removeBranch(cwd: string, branch: string, expected: string | undefined): Promise<void> {
  const args = ['update-ref', '-d', `refs/heads/${branch}`, ...(expected === undefined ? [] : [expected])];
  const git = new BoundGit(cwd);
  const outcome = await git.try(args);
  if (outcome.code === 0 || expected !== undefined) return;
  const { code } = await git.try(['show-ref', '--verify', '--quiet', `refs/heads/${branch}`]);
  if (code === 0) throw await explainGitLock(new GitError(args, outcome));
}
