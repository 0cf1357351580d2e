import { isJsonObject } from '../../kernel/json.ts';
import { TEST_EVIDENCE } from '../../verification/suspicious/segment.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { undelivered } from '../../workspace/inspection/undelivered.ts';
import type { OpenProject } from '../open.ts';
import { readBeforeWork } from './make-worktree.ts';
import type { OpenedSession } from './opened-session.ts';

/** Workers whose gates are covered once the engine has looked at the checks of a tree. */
const LOOKED_AT = new Set(['Internal:TestRunner', 'Internal:InspectTests']);
const UNKNOWN = ['what was there besides it is not known'];

/**
 * What the gates of a session may have passed with and what is not delivered with it; empty: they speak for exactly the
 * delivered tree.
 */
export async function leantOn(
  { config }: OpenProject,
  { snapshot, worktree, path, repo }: OpenedSession,
  held: string | undefined,
): Promise<readonly string[]> {
  const { manifest, state } = snapshot;
  const { fresh } = config.runtime.values.verify;
  if (held === undefined || !worktree || fresh === 'off' || state.delivery?.kind === 'delivered') return [];
  const gates = manifest.gates.flatMap((id) => manifest.blocks[id]?.worker ?? []);
  const looked = state.history.ever(TEST_EVIDENCE).at(-1)?.content;
  const isCovered = isJsonObject(looked) && looked['tree'] === held;
  if (gates.every((worker) => LOOKED_AT.has(worker)) && isCovered) return [];
  const before = await readBeforeWork(path);
  if (!before?.beside) return UNKNOWN;
  const from = repo.top ?? repo.dir;
  const found = await undelivered(new BoundGit(repo.dir), { tree: held, top: path, from }, before.beside);
  return fresh === 'always' && found.length === 0 ? UNKNOWN : found;
}
