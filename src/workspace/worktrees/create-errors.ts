import { statfs } from 'node:fs/promises';
import { ConflictError, LoopwrightError, StorageError, UsageError } from '../../kernel/errors.ts';
import { BoundGit } from '../git/bound-git.ts';
import { GitError } from '../git/git-error.ts';
import { explainGitLock } from '../git/git-locks.ts';
import type { WorktreeHome } from './home.ts';
import type { WorktreeRecord } from './record.ts';

export function branchTaken(branch: string): UsageError {
  return new ConflictError(`There is a branch ${branch} already.`, {
    next: `Choose another name, or look at what it holds and remove it: git branch -d ${branch}`,
  });
}

/** Somebody made a branch of that name between our look and our making it. */
export function isBranchTaken(error: unknown): boolean {
  return error instanceof GitError && /branch named .* already exists/.test(error.stderr);
}

/** Why a worktree could not be added, as far as git's words and the disk tell. Nothing of it is left then. */
export async function explainFailedAdd(
  error: unknown,
  home: WorktreeHome,
  { path, branch, baseCommit }: WorktreeRecord,
): Promise<unknown> {
  if (!(error instanceof GitError)) return error;
  const { stderr } = error;
  if (isBranchTaken(error)) return branchTaken(branch);
  if (/No space left|quota exceeded/i.test(stderr) || (await isTooSmall(home, stderr, baseCommit))) {
    return new StorageError(
      `The disk is full: the worktree ${path} could not be written. Nothing is left of it.`,
      {
        next: `Free space in ${home.root}, or set LOCAL_WORKTREE_ROOT to a folder on another disk.`,
        reason: 'full',
        cause: error,
      },
    );
  }
  if (/' exists; cannot create '/.test(stderr)) {
    return new LoopwrightError(`The branch ${branch} cannot be made: ${stderr.trim()}`, {
      next: 'A branch named like the beginning or the end of it is in the way: rename that one with git branch -m.',
      cause: error,
    });
  }
  return explainGitLock(error);
}

/** Git does not say why a file could not be written, so the size of the tree is compared with the space. */
async function isTooSmall({ repo, root }: WorktreeHome, stderr: string, commit: string): Promise<boolean> {
  if (!/unable to (?:write|create) /.test(stderr)) return false;
  const list = await new BoundGit(repo.dir).raw(['ls-tree', '-r', '-l', '-z', commit]);
  let needed = 0;
  for (const entry of list.split('\0')) needed += Number(/^\d+ blob \w+ +(\d+)\t/.exec(entry)?.[1] ?? 0);
  const { bavail, bsize } = await statfs(root);
  return bavail * bsize < needed;
}
