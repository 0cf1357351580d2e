import { BoundGit } from '../git/bound-git.ts';

/** One line of `git status`: two letters as git prints them, and the path. */
export interface Change {
  readonly status: string;
  readonly path: string;
}

/** What differs from the last commit in a checkout, untracked files included. Never refreshes its index. */
export async function changesIn(dir: string): Promise<Change[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--no-renames'];
  return parseStatus(await new BoundGit(dir).raw(args));
}

function parseStatus(output: string): Change[] {
  return output
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => ({ status: entry.slice(0, 2), path: entry.slice(3) }));
}

/** Paths of a conflict that is not resolved yet. */
export function unresolved(changes: readonly Change[]): string[] {
  const conflict = new Set(['DD', 'AU', 'UD', 'UA', 'DU', 'AA', 'UU']);
  return changes.filter(({ status }) => conflict.has(status)).map(({ path }) => path);
}
