import { type Action, action } from '../../kernel/action.ts';
import { closedGates } from '../../orchestrator/engine/gates.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import {
  hardChanges,
  latestSuspicious,
  SUSPICIOUS_CHANGE,
  type SuspiciousChanges,
} from '../../verification/suspicious/segment.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { bringBack } from './bring-back.ts';
import type { OpenedSession } from './opened-session.ts';
import { finishRewind } from './pending-rewind.ts';

/** What was not committed yet is only in checkpoints when the folder was deleted by hand. */
export async function findFolder({
  opened,
  repo,
  worktree,
  present,
  id,
  files,
}: OpenedSession): Promise<void> {
  if (worktree && !present) await bringBack(opened, repo, { id, files });
  else if (worktree) await finishRewind(opened, id, worktree.path);
}

/** A session proves its result by having completed, and its gates prove it on the files as they are now. */
export async function proofOf({ snapshot, worktree, branch, repo, path, id }: OpenedSession): Promise<Proof> {
  const { state, manifest } = snapshot;
  // The folder may have been brought back just now, so it is opened anew.
  const tree = worktree ? await new TreeCheckpoints(path, id).tree() : undefined;
  const held = tree ?? (await treeOfBranch(repo.dir, branch));
  if (!isEnded(snapshot)) return { doubts: [`it is ${state.status}`], tree, held };
  if (manifest.gates.length === 0) return { doubts: [], tree, held };
  // Whether anything is left to deliver is for the delivery to say.
  const doubts = held === undefined ? [] : closedGates(manifest, state.gates, held).map(({ why }) => why);
  return { doubts, tree, held };
}

interface Proof {
  /** Why the result is not proven; empty when it is. */
  readonly doubts: readonly string[];
  /** The files that this was found out about; nothing else is delivered. Undefined without a worktree. */
  readonly tree: string | undefined;
  /** The same, from its branch where there is no worktree. */
  readonly held: string | undefined;
}

/** One that halted over suspicious changes has come to its end but for the word of a person, who gives it here. */
function isEnded(snapshot: Pick<Snapshot, 'state'>): boolean {
  const { status, halt } = snapshot.state;
  if (status === 'completed') return true;
  const found = halt?.reason === 'suspicious' ? suspiciousIn(snapshot) : undefined;
  return found !== undefined && hardChanges(found).length > 0;
}

async function treeOfBranch(repo: string, branch: string): Promise<string | undefined> {
  const args = ['rev-parse', '-q', '--verify', `refs/heads/${branch}^{tree}`];
  const { code, stdout } = await new BoundGit(repo).try(args);
  return code === 0 ? stdout.trim() : undefined;
}

/** What the engine found last about the checks themselves, whatever later blocks passed on of it. */
export function suspiciousIn({ state }: Pick<Snapshot, 'state'>): SuspiciousChanges | undefined {
  return latestSuspicious(state.history.ever(SUSPICIOUS_CHANGE));
}

/** Taken back to before its gates ran, it meets what the base has now and can be repaired by its own flow. */
export function repairWith({ id, path, snapshot }: OpenedSession, base: string): Action {
  const { state, manifest } = snapshot;
  const ran = manifest.gates.flatMap((gate) => {
    const last = state.trail.findLast((entry) => entry.ran && entry.block === gate);
    return last ? [last.step] : [];
  });
  return action(
    'session.rewind',
    `Take it back to before its checks, merge ${base} in ${path} and resume it: then it is checked, and repaired, with what ${base} has now`,
    { session: id, step: Math.max(0, Math.min(state.step, ...ran) - 1) },
  );
}
