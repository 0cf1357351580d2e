import type { Claim, Scheduler } from '../../backlog/scheduler.ts';
import { heldFor } from './lock.ts';
import { type GuardDecision, guardQueue } from './queue-guard.ts';

/** Names one delivery of a task: a takeover of the same run is another one. */
export function claimMark({ runId, epoch }: Pick<Claim, 'runId' | 'epoch'>): string {
  return `${runId}.${epoch}`;
}

export interface GuardOptions {
  readonly scheduler: Pick<Scheduler, 'stillMine'>;
  /** Where the locks of tasks are. */
  readonly locks: string;
  /** The runtime that was told to run it. */
  readonly me: string;
}

/** Whether a claim is still to be run by this runtime, by what is recorded now. */
export async function guardClaim(
  { scheduler, locks, me }: GuardOptions,
  claim: Claim,
  { lockHeld }: { readonly lockHeld: boolean },
): Promise<GuardDecision> {
  const known = await scheduler.stillMine(claim);
  if (!known) return { do: 'skip', reason: 'it was removed', state: 'cancelled' };
  const deliveredBefore = lockHeld && (await heldFor(locks, claim.task.id)) === claimMark(claim);
  return guardQueue({
    ...(known.runBy === undefined ? {} : { addressedTo: known.runBy }),
    me,
    state: known.state,
    lockHeld,
    runActive: known.superseded || deliveredBefore,
    touchedAgoMs: lockHeld ? known.touchedAgoMs : 0,
  });
}
