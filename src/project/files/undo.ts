import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import type { Refused } from '../../workspace/delivery/refusal.ts';
import { type UndoResult, undo as undoDelivery } from '../../workspace/delivery/undo.ts';
import type { OpenProject } from '../open.ts';
import { refuseDecidingInside } from '../runs/nested.ts';
import { isTaskId } from '../sessions/find-any.ts';
import { baseOf } from './base-branch.ts';
import { refusal } from './deliver.ts';
import { noteDelivery } from './note-delivery.ts';
import { openKeptSession, refuseOwned } from './opened-session.ts';

type Back = { readonly base: string } & Exclude<UndoResult, Refused>;
export type Undone = {
  readonly session: string;
  /** Of a task: it waits for a verdict again. */
  readonly awaitsVerdict?: boolean;
} & Back;

/** Takes what a session or a task delivered out of its base branch again, as a new commit. */
export async function undo(opened: OpenProject, written: string | undefined): Promise<Undone> {
  refuseDecidingInside();
  if (written !== undefined && (await isTaskId(opened, written))) return undoTask(opened, written);
  const kept = await openKeptSession(opened, written, { orTask: true });
  refuseOwned(kept);
  const { id, repo, snapshot } = kept;
  const { delivery } = snapshot.state;
  if (delivery?.kind === 'proposed')
    throw new ConflictError(`Session ${id} was delivered as a pull request: ${delivery.url ?? ''}`, {
      next: 'Close it there, or revert it there once it is merged.',
    });
  const base = delivery?.base ?? (await baseOf(kept, undefined));
  return { session: id, ...(await takenBack(opened, { repo: repo.dir, base, id, sessions: [id] })) };
}

async function undoTask(opened: OpenProject, written: string): Promise<Undone> {
  const { deliveredBranch } = await import('../backlog/delivered-branch.ts');
  const { reopen } = await import('../backlog/reopen.ts');
  const { task, mode, repo, base, run } = await deliveredBranch(opened, written);
  if (mode !== 'local-git' || repo === undefined || base === undefined)
    throw new ConflictError(`Task ${task} has delivered nothing to a branch of this repository.`, {
      next: action('task.show', 'Look at it', { task }),
    });
  const sessions = run === undefined ? [] : [run.sessionId];
  const back = await takenBack(opened, { repo, base, id: task, sessions });
  // The files first, then the state: repeated after a kill in between, it finds the files done.
  const awaitsVerdict = await reopen(opened, task, back);
  return { session: task, ...back, awaitsVerdict };
}

interface Taken {
  readonly repo: string;
  readonly base: string;
  readonly id: string;
  /** Who is told. */
  readonly sessions: readonly string[];
}

async function takenBack(opened: OpenProject, { repo, base, id, sessions }: Taken): Promise<Back> {
  const result = await undoDelivery({ repo, base, id });
  if (result.kind === 'refused') throw refusal(result);
  const commit = result.kind === 'undone' ? { commit: result.commit } : {};
  for (const session of sessions) await noteDelivery(opened, session, { kind: 'undone', base, ...commit });
  return { base, ...result };
}
