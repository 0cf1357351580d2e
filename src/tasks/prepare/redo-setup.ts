import { join } from 'node:path';
import type { Config } from '../../config/load-config.ts';
import { type BeforeWork, lookBeforeWork } from '../../verification/before-work.ts';
import { type FreshTree, setUp } from './make-ready.ts';
import { removeInstalled } from './other-packages.ts';

/**
 * Makes a worktree ready that somebody has worked in, with settings that were changed since. What was installed in it
 * is taken away first: an agent may have had its hands in it, and from here on it counts as ours.
 */
export async function redoSetUp(
  config: Config,
  tree: FreshTree,
  { before, cancel }: { readonly before: BeforeWork | undefined; readonly cancel?: AbortSignal },
): Promise<{ readonly notes: readonly string[]; readonly before: BeforeWork }> {
  const root = join(tree.path, tree.prefix);
  await removeInstalled(root);
  const notes = await setUp(config, tree, cancel);
  const now = lookBeforeWork(root);
  const isCopied = config.worktrees.copy.length > 0;
  return {
    notes: ['the settings of worktrees have changed: its worktree was set up again', ...notes],
    // What was there besides the tree stays as it was first seen: what is new costs one run on a fresh checkout.
    before: { ...now, ...(isCopied || !before ? {} : { env: before.env }), ...besideOf(before) },
  };
}

function besideOf(before: BeforeWork | undefined): Pick<BeforeWork, 'beside'> {
  return before?.beside === undefined ? {} : { beside: before.beside };
}
