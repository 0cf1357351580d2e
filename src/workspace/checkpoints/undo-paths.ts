import { rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';
import type { NamedChanges } from '../git/tree-diff.ts';

/** Puts changed paths of a worktree back to what a commit has; what the commit does not know is removed. */
export async function undoPaths(git: BoundGit, commit: string, changes: NamedChanges): Promise<void> {
  const known = [...changes.changed, ...changes.removed];
  if (known.length > 0) {
    // A folder may have taken the place of a file; git would not remove what lies in it.
    for (const path of known) await rm(join(git.cwd, path), { recursive: true, force: true });
    const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
    const input = known.map((path) => `:(top,literal)${path}\0`).join('');
    await git.run(['restore', `--source=${commit}`, '--staged', '--worktree', ...from], { input });
  }
  for (const path of changes.added) {
    await rm(join(git.cwd, path), { recursive: true, force: true });
    await dropEmptyFolders(git.cwd, dirname(path));
  }
  if (changes.added.length > 0) {
    const input = changes.added.map((path) => `${path}\0`).join('');
    await git.run(['update-index', '--force-remove', '-z', '--stdin'], { input });
  }
}

async function dropEmptyFolders(root: string, folder: string): Promise<void> {
  for (let path = folder; path !== '.' && path !== ''; path = dirname(path)) {
    try {
      await rmdir(join(root, path));
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT' || code === 'ENOTDIR') return;
      throw error;
    }
  }
}
