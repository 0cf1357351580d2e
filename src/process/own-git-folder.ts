import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where we keep our own records inside a folder of git's: what setup copied in, how things were before the work, our
 * index. An agent may write what git keeps of its worktree, but never this: it would decide what counts as its work.
 */
export function ownGitFolder(gitDir: string): string {
  return join(gitDir, 'loopwright');
}

/** The same, made where it is not there yet. */
export function makeOwnGitFolder(gitDir: string): string {
  const folder = ownGitFolder(gitDir);
  mkdirSync(folder, { recursive: true });
  return folder;
}
