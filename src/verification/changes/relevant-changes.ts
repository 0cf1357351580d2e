import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { VerificationReport } from '../report.ts';
import type { TaskTree, TreeChanges } from '../task-tree.ts';
import { isGenerated, sourcesOf } from './generated-paths.ts';

export interface RelevantChanges {
  readonly changes: TreeChanges;
  readonly dropped: VerificationReport['dropped'];
}

/** The changes that somebody made: without products of tools, what this project calls generated and what git ignores. */
export async function relevantChanges(
  tree: TaskTree,
  generatedHere: (path: string) => boolean,
): Promise<RelevantChanges> {
  const all = await tree.changes();
  const paths = [...all.changed, ...all.added, ...all.removed].sort();
  const ignored = await tree.ignored(paths);
  const removed = new Set(all.removed);
  const why = (path: string): 'generated' | 'learned' | 'ignored' | undefined => {
    if (isOurs(path) || ignored.has(path)) return 'ignored';
    if (isGenerated(path) || (!removed.has(path) && isCompiled(tree.root, path))) return 'generated';
    return generatedHere(path) ? 'learned' : undefined;
  };
  const reasons = new Map(paths.map((path) => [path, why(path)]));
  const relevant = (list: readonly string[]) => list.filter((path) => reasons.get(path) === undefined);
  return {
    changes: {
      changed: relevant(all.changed),
      added: relevant(all.added),
      removed: relevant(all.removed),
    },
    dropped: paths.flatMap((path) => {
      const reason = reasons.get(path);
      return reason === undefined ? [] : [{ path, why: reason }];
    }),
  };
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
