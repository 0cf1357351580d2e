import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where git would find its repository from a folder, found without starting it. */
export interface Located {
  /** The folder that holds `.git`. */
  readonly top: string;
  readonly gitDir: string;
  readonly commonDir: string;
}

export function locate(folder: string): Located | undefined {
  for (let top = real(folder); ; top = dirname(top)) {
    const gitDir = gitDirOf(top);
    if (gitDir !== undefined) return { top, gitDir, commonDir: commonDirOf(gitDir) };
    if (dirname(top) === top) return undefined;
  }
}

function gitDirOf(top: string): string | undefined {
  const path = join(top, '.git');
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  const named = stat.isFile() ? /^gitdir: (.+?)\s*$/.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
  return real(named === undefined ? path : resolve(top, named));
}

export function commonDirOf(gitDir: string): string {
  try {
    return real(resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim()));
  } catch {
    // Only a worktree has one.
    return gitDir;
  }
}

export function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
