import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, UsageError } from '../../kernel/errors.ts';
import { BoundGit } from '../git/bound-git.ts';
import type { Repository } from '../git/repository.ts';
import { type Change, unresolved } from './changes.ts';

/** A checkout's files and its index, each as a tree. */
export interface CapturedChanges {
  readonly files: string;
  readonly index: string;
}

/** How the folders of private indexes begin, in `<common dir>/loopwright`; only there under the lock. */
export const PRIVATE_INDEX = 'index-';
/** The private index must be whole, and no daemon is to be started for it. */
const PLAIN_INDEX = ['-c', 'core.splitIndex=false', '-c', 'core.fsmonitor=false'];

/**
 * Writes what the checkout holds as trees, through a copy of its index: its files, its index and its stash
 * stay as they are. Untracked files are included, ignored ones and what is inside submodules are not.
 */
export async function captureChanges(repo: Repository): Promise<CapturedChanges> {
  const home = join(repo.commonDir, 'loopwright');
  await mkdir(home, { recursive: true });
  const folder = await mkdtemp(join(home, PRIVATE_INDEX));
  try {
    const own = join(folder, 'index');
    await copyIfThere(join(repo.gitDir, 'index'), own);
    const git = new BoundGit(repo.dir).with({ GIT_INDEX_FILE: own });
    const index = await git.raw([...PLAIN_INDEX, 'write-tree']);
    await git.raw([...PLAIN_INDEX, '-c', 'advice.addEmbeddedRepo=false', 'add', '--all', '--', '.']);
    const files = await git.raw([...PLAIN_INDEX, 'write-tree']);
    return { files: files.trim(), index: index.trim() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Lays captured changes into a worktree that was added without a checkout; staged stays staged. */
export async function layChanges(worktree: string, { files, index }: CapturedChanges): Promise<void> {
  const git = new BoundGit(worktree);
  await git.raw(['read-tree', '--reset', '-u', files]);
  if (index !== files) await git.raw(['read-tree', '-m', index]);
}

/** Throws where changes cannot be carried over as they are. */
export function refuseCopy(
  dir: string,
  start: { readonly commit: string; readonly head: string | undefined },
  changes: readonly Change[],
): void {
  const conflicts = unresolved(changes);
  if (conflicts.length > 0) {
    throw new UsageError(`${dir} has conflicts that are not resolved: ${conflicts.join(', ')}.`, {
      next: 'Resolve them, or leave the uncommitted changes out.',
    });
  }
  if (start.head === start.commit) return;
  throw new UsageError(
    'The uncommitted changes belong to another commit than the chosen base, so they cannot be copied onto it.',
    { next: 'Leave out the base or the uncommitted changes.' },
  );
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    // A repository whose commits are all empty has no index yet.
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
