import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';
import { splitZ } from '../git/tree-diff.ts';

/**
 * Repositories inside the tree that are no submodules. What git has just taken for submodules of them is
 * taken out of the index again.
 */
export async function findNested(git: BoundGit, known: readonly string[]): Promise<string[]> {
  const [staged, others] = await Promise.all([
    git.run(['ls-files', '-s', '-z']),
    git.run(['ls-files', '-o', '-z', '--exclude-standard']),
  ]);
  const taken = gitLinks(staged.stdout).filter((path) => !known.includes(path));
  if (taken.length > 0) {
    const input = taken.map((path) => `${path}\0`).join('');
    await git.run(['update-index', '--force-remove', '-z', '--stdin'], { input });
  }
  // Git lists a repository as one path with a slash, and everything else file by file.
  const untaken = splitZ(others.stdout).filter((path) => path.endsWith('/'));
  return [...taken, ...untaken.map((path) => path.slice(0, -1))];
}

/** Those that are still repositories: one whose `.git` was removed is a plain folder from then on. */
export async function stillNested(root: string, paths: readonly string[]): Promise<string[]> {
  const there = await Promise.all(paths.map((path) => exists(join(root, path, '.git'))));
  return paths.filter((_, i) => there[i]);
}

export function gitLinks(staged: string): string[] {
  return splitZ(staged)
    .filter((line) => line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1));
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}
