import { lstat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { STATE_FOLDER } from '../../config/config-file.ts';
import type { Clock } from '../../kernel/clock.ts';
import { errorCode } from '../../kernel/errors.ts';
import { addExclude } from '../git/exclude.ts';
import type { Repository } from '../git/repository.ts';

/** Told before each change, in this order, for display; a kill between any two must leave nothing broken. */
export type WorktreeStep =
  | 'recording'
  | 'adding'
  | 'copying-changes'
  | 'finishing'
  | 'deciding-removal'
  | 'removing-folder'
  | 'removing-branch'
  | 'forgetting';

/** Where the worktrees of one repository live and how to work on them. */
export interface WorktreeHome {
  readonly repo: Repository;
  /** The folder that holds them, absolute. */
  readonly root: string;
  readonly clock: Clock;
  readonly onStep: (step: WorktreeStep, id: string) => void;
}

export function rootOf(repo: Repository, configured: string | undefined): string {
  return configured === undefined ? join(repo.dir, STATE_FOLDER, 'worktrees') : resolve(repo.dir, configured);
}

/** Our folders stay out of the user's `git status`, wherever inside the checkout they are. */
export async function keepOutOfStatus({ repo, root }: WorktreeHome): Promise<void> {
  if (repo.top === undefined) return;
  const file = join(repo.commonDir, 'info', 'exclude');
  await addExclude(file, `${STATE_FOLDER}/`);
  const inside = relative(repo.top, root);
  if (inside === '' || inside.split(sep).some((name) => name === '..' || name === STATE_FOLDER)) return;
  await addExclude(
    file,
    `/${inside
      .split(sep)
      .join('/')
      .replaceAll(/[\\*?[\]!# ]/g, '\\$&')}/`,
  );
}

export async function isPresent(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}
