import { join, posix } from 'node:path';
import type { RepositoryMode } from '../../../config/runtime/settings.ts';
import type { TaskTree } from '../../../verification/task-tree.ts';
import { BoundGit } from '../../../workspace/git/bound-git.ts';
import { changedPaths, splitZ } from '../../../workspace/git/tree-diff.ts';
import type { TaskWorktree } from './task-worktree.ts';

/** The files of a task in its worktree, compared with the commit that it began from. */
export function gitTaskTree(
  { record, place, checkpoints, before }: TaskWorktree,
  mode: Exclude<RepositoryMode, 'direct'>,
): TaskTree {
  const { path, baseCommit } = record;
  const { prefix } = place.repo;
  const git = new BoundGit(path);
  const toTop = (file: string) => (prefix === '' ? file : posix.join(prefix, file));
  const fromTop = (file: string) => (prefix === '' ? file : posix.relative(prefix, file));
  return {
    root: join(path, prefix),
    mode,
    before,
    async changes() {
      const { changed, added, removed } = await checkpoints.since(baseCommit);
      return { changed: changed.map(fromTop), added: added.map(fromTop), removed: removed.map(fromTop) };
    },
    identity: () => checkpoints.tree(),
    async differing(from, to) {
      return from === to ? [] : (await changedPaths(git, from, to)).map(fromTop);
    },
    async ignored(paths) {
      if (paths.length === 0) return new Set();
      const input = paths.map((file) => `${toTop(file)}\0`).join('');
      // Exit code 1 says that none is.
      const { stdout } = await git.try(['check-ignore', '-z', '--stdin'], { input });
      return new Set(splitZ(stdout).map(fromTop));
    },
    async tracked(paths) {
      if (paths.length === 0) return new Set();
      const { stdout } = await git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', baseCommit]);
      const known = new Set(splitZ(stdout));
      return new Set(paths.filter((file) => known.has(toTop(file))));
    },
    async discard(paths) {
      if (paths.length === 0) return { discarded: [], kept: [] };
      const undone = new Set(await checkpoints.undo(baseCommit, paths.map(toTop)));
      return {
        discarded: paths.filter((file) => undone.has(toTop(file))),
        kept: paths
          .filter((file) => !undone.has(toTop(file)))
          .map((file) => ({ path: file, reason: 'it is as the base has it, or ignored' })),
      };
    },
  };
}
