import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BoundGit } from '../git/bound-git.ts';
import { GitError } from '../git/git-error.ts';
import { explainGitLock } from '../git/git-locks.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import type { Repository } from '../git/repository.ts';
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
  await removeFolder(repo, path, home.root);
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
      await removeFolder(home.repo, record.path, home.root);
      await writeRecord(home.repo.commonDir, { ...record, state: 'ready' });
      return 'half-restored';
    }
    await eraseWorktree(home, record);
    return record.state === 'creating' ? 'half-made' : 'half-removed';
  });
}

/**
 * Removes a folder with git's entry of it; where the folder is gone, that entry and no other. A record is a file that
 * anybody could have written who could write the repository: so a folder goes only if it says itself that it is a
 * worktree of this repository, or lies directly in `root`, where nothing but worktrees of ours is.
 */
export async function removeFolder(
  { commonDir, dir }: Pick<Repository, 'commonDir' | 'dir'>,
  path: string,
  root?: string,
): Promise<void> {
  const named = await gitDirNamedIn(path);
  // In a copied repository the records still name the original's folders.
  if (named !== undefined && !isBelow(commonDir, named)) return;
  if (named !== undefined || (root !== undefined && dirname(path) === root)) {
    // Twice: also when it is locked, as git itself does while it adds one.
    await new BoundGit(dir).try(['worktree', 'remove', '--force', '--force', path]);
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
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
