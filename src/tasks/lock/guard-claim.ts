import { type Rows, sql } from '../../store/rows.ts';
import type { TaskState } from '../backlog/task.ts';
import type { Claim } from '../scheduler/scheduler.ts';
import { heldFor } from './lock.ts';
import { type GuardDecision, guardQueue } from './queue-guard.ts';

/** Names one delivery of a task: a takeover of the same run is another one. */
export function claimMark({ runId, epoch }: Pick<Claim, 'runId' | 'epoch'>): string {
  return `${runId}.${epoch}`;
}

export interface GuardOptions {
  readonly rows: Pick<Rows, 'all'>;
  /** Where the locks of tasks are. */
  readonly locks: string;
  /** The runtime that was told to run it. */
  readonly me: string;
  readonly now: () => number;
}

/** Whether a claim is still to be run by this runtime, by what is recorded now. */
export async function guardClaim(
  { rows, locks, me, now }: GuardOptions,
  claim: Claim,
  { lockHeld }: { readonly lockHeld: boolean },
): Promise<GuardDecision> {
  const task = claim.task.id;
  const [known] = rows.all<{ state: TaskState; epoch: number; agent: string | null }>(sql`
    select task.state, task.epoch, run.agent from task
      left join run on run.task = task.id and run.id = ${claim.runId} and run.epoch = ${claim.epoch}
    where task.id = ${task}`);
  if (!known) return { do: 'skip', reason: 'it was removed', state: 'cancelled' };
  const deliveredBefore = lockHeld && (await heldFor(locks, task)) === claimMark(claim);
  return guardQueue({
    ...(known.agent === null ? {} : { addressedTo: known.agent }),
    me,
    state: known.state,
    lockHeld,
    runActive: (known.state === 'running' && known.epoch > claim.epoch) || deliveredBefore,
    touchedAgoMs: lockHeld ? now() - touchedBefore(rows, claim) : 0,
  });
}

function touchedBefore(rows: Pick<Rows, 'all'>, { task, epoch }: Claim): number {
  const [last] = rows.all<{ at: number | null }>(sql`select max(at) as at from task_event
    where task = ${task.id} and epoch < ${epoch}`);
  return last?.at ?? task.createdAt;
}
