import { readdir, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { readIfThere } from '../../process/if-there.ts';

/** What git itself keeps about a linked worktree, in `<common dir>/worktrees/<name>`. */
export interface AdminEntry {
  readonly name: string;
  readonly dir: string;
  /** The worktree's folder as git believes it to be; undefined in an entry that was never finished. */
  readonly folder: string | undefined;
  /** The branch that is checked out there, if one is. */
  readonly branch: string | undefined;
  /** Why it is locked against pruning and removal; `''` when nobody said. */
  readonly lockedFor: string | undefined;
}

/** Read from the files: one look at a few small files instead of a git that also checks every folder. */
export async function readAdminEntries(commonDir: string): Promise<AdminEntry[]> {
  const home = join(commonDir, 'worktrees');
  let names: string[];
  try {
    names = await readdir(home);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
  return Promise.all(names.map((name) => readAdminEntry(join(home, name))));
}

/** The entry of one folder, or the unfinished one that git would have named after it. */
export async function adminEntryOf(commonDir: string, folder: string): Promise<AdminEntry | undefined> {
  const entries = await readAdminEntries(commonDir);
  return (
    entries.find((entry) => entry.folder === folder) ??
    entries.find((entry) => entry.folder === undefined && entry.name === basename(folder))
  );
}

/** The private git directory that a worktree's `.git` file names; undefined when there is no such file. */
export async function gitDirNamedIn(folder: string): Promise<string | undefined> {
  const text = await readIfThere(join(folder, '.git'));
  const named = text === undefined ? undefined : /^gitdir: (.+?)\n?$/.exec(text)?.[1];
  return named === undefined ? undefined : resolve(folder, named);
}

/** As git does it: no entries, no folder for them. */
export async function dropEmptyAdminHome(commonDir: string): Promise<void> {
  try {
    await rmdir(join(commonDir, 'worktrees'));
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
  }
}

async function readAdminEntry(dir: string): Promise<AdminEntry> {
  const [gitFile, head, lockedFor] = await Promise.all(
    ['gitdir', 'HEAD', 'locked'].map((name) => readIfThere(join(dir, name))),
  );
  const link = gitFile?.trim() ?? '';
  return {
    name: basename(dir),
    dir,
    folder: link === '' ? undefined : dirname(resolve(dir, link)),
    branch: /^ref: refs\/heads\/(.+?)\s*$/.exec(head ?? '')?.[1],
    lockedFor: lockedFor?.trim(),
  };
}

/** Whether the `.git` of a worktree leads to git's own entry for it, and that back to the worktree. */
export async function isLinked(commonDir: string, folder: string): Promise<boolean> {
  const dir = await gitDirNamedIn(folder);
  if (dir === undefined || dirname(dir) !== join(commonDir, 'worktrees')) return false;
  const back = await readIfThere(join(dir, 'gitdir'));
  return back !== undefined && resolve(dir, back.trim()) === join(folder, '.git');
}
