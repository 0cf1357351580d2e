import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isGitControl } from '../policy/violations.ts';
import type { DropReason, VerificationReport } from '../report.ts';
import type { TaskTree, TreeChanges } from '../task-tree.ts';
import { isGenerated, sourcesOf } from './generated-paths.ts';

export interface RelevantChanges {
  readonly changes: TreeChanges;
  readonly dropped: VerificationReport['dropped'];
}

/** Why this project, or this task, does not count a path; undefined: it does. */
export type OwnRules = (path: string) => DropReason | undefined;

/** Whether a task itself is about a path, so that it is no product whatever it looks like. */
export type IsNamed = (path: string) => boolean;

/**
 * The changes that somebody made: without products of tools, what git ignores and what the own rules leave out. A file
 * that the base knows, or that the task names, is never taken for a product because of its place or its name.
 */
export async function relevantChanges(
  tree: TaskTree,
  ownRules: OwnRules,
  isNamed: IsNamed = () => false,
): Promise<RelevantChanges> {
  const all = await tree.changes();
  const paths = [...all.changed, ...all.added, ...all.removed].sort();
  const ignored = await tree.ignored(paths);
  const removed = new Set(all.removed);
  const looksMade = (path: string) =>
    isGenerated(path) || (!removed.has(path) && isCompiled(tree.root, path));
  const tracked = await tree.tracked(paths.filter(looksMade));
  const why = (path: string): DropReason | undefined => {
    if (isGitControl(path)) return ownRules(path) === 'left_behind' ? 'left_behind' : undefined;
    if (isOurs(path) || ignored.has(path)) return 'ignored';
    if (isNamed(path)) return ownRules(path) === 'left_behind' ? 'left_behind' : undefined;
    if (looksMade(path) && !tracked.has(path)) return 'generated';
    return ownRules(path);
  };
  const reasons = new Map(paths.map((path) => [path, why(path)]));
  return {
    changes: without(all, (path) => reasons.get(path) !== undefined),
    dropped: paths.flatMap((path) => {
      const reason = reasons.get(path);
      return reason === undefined ? [] : [{ path, why: reason }];
    }),
  };
}

export function without(all: TreeChanges, isOut: (path: string) => boolean): TreeChanges {
  const rest = (list: readonly string[]) => list.filter((path) => !isOut(path));
  return { changed: rest(all.changed), added: rest(all.added), removed: rest(all.removed) };
}

export function pathsOf({ changed, added, removed }: TreeChanges): string[] {
  return [...changed, ...added, ...removed].sort();
}

function isOurs(path: string): boolean {
  return path === '.loopwright' || path.startsWith('.loopwright/');
}

function isCompiled(root: string, path: string): boolean {
  return sourcesOf(path).some((source) => existsSync(join(root, source)));
}
