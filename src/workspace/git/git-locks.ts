import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, LoopwrightError } from '../../kernel/errors.ts';
import { GitError } from './git-error.ts';

/** A lock file of git itself. Whether its owner lives is not written in it, so it is never removed by us. */
export interface GitLock {
  readonly path: string;
  readonly ageMs: number;
}

/** A lock of git's own stands in the way; nothing was changed. */
export class GitLockedError extends LoopwrightError {}

const PRIVATE = ['index.lock', 'HEAD.lock'];
const SHARED = ['config.lock', 'packed-refs.lock', 'shallow.lock'];

/** The locks of git that exist now for a checkout and its repository. */
export async function findGitLocks(
  repo: { readonly gitDir: string; readonly commonDir: string },
  now: number = Date.now(),
): Promise<GitLock[]> {
  const paths = [
    ...PRIVATE.map((name) => join(repo.gitDir, name)),
    ...SHARED.map((name) => join(repo.commonDir, name)),
  ];
  const found = await Promise.all(paths.map((path) => lockAt(path, now)));
  return found.filter((lock) => lock !== undefined);
}

/** An error of git in the words of its cause, when that is a lock file; otherwise the error as it is. */
export async function explainGitLock(error: unknown): Promise<unknown> {
  if (!(error instanceof GitError)) return error;
  const path =
    /Unable to create '(.+\.lock)': File exists/.exec(error.stderr)?.[1] ??
    /could not lock config file (.+?): File exists/.exec(error.stderr)?.[1]?.concat('.lock');
  if (path === undefined) return error;
  const lock = await lockAt(path, Date.now());
  return new GitLockedError(
    `git is locked by ${path}${lock ? `, which is ${age(lock.ageMs)} old` : ''}: another git is at work there, or one was killed.`,
    { next: adviceFor(path), cause: error },
  );
}

export function adviceFor(path: string): string {
  return `Try again when no other git runs in this repository; if none does, remove ${path}.`;
}

async function lockAt(path: string, now: number): Promise<GitLock | undefined> {
  try {
    const { mtimeMs } = await stat(path);
    return { path, ageMs: Math.max(0, now - mtimeMs) };
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function age(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
