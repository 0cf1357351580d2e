import { isLikelyGenerated } from '../changes/generated-paths.ts';
import type { TaskTree } from '../task-tree.ts';

export interface Discardable {
  /** May be undone: ignored, a likely product of a run, or unknown to the base. */
  readonly discard: readonly string[];
  /** Worth remembering when it is undone. */
  readonly learn: ReadonlySet<string>;
}

/** Which violating paths are products and no work: a file that the base knows and that looks like source is left alone. */
export async function discardable(
  paths: readonly string[],
  tree: Pick<TaskTree, 'ignored' | 'tracked'>,
  options: { readonly all: boolean },
): Promise<Discardable> {
  const [ignored, tracked] = await Promise.all([tree.ignored(paths), tree.tracked(paths)]);
  const discard = paths.filter(
    (path) => options.all || ignored.has(path) || isLikelyGenerated(path) || !tracked.has(path),
  );
  return { discard, learn: new Set(discard.filter(isLikelyGenerated)) };
}
