import type { TaskState } from '../../backlog/words.ts';

/** What is known about a task when somebody is asked to run it. */
export interface ClaimNotice {
  /** Who it was given to; absent: anybody. */
  readonly addressedTo?: string;
  readonly me: string;
  readonly state: TaskState;
  /** A process on this machine holds the lock of the task. */
  readonly lockHeld: boolean;
  /** It is being run: by somebody else, or for this very claim, which was delivered before. */
  readonly runActive: boolean;
  /** How long ago the task was touched, but for this delivery of it. */
  readonly touchedAgoMs: number;
}

export type GuardDecision =
  | { readonly do: 'run' }
  /** Somebody else does it, or has done it: this delivery is dropped. */
  | { readonly do: 'skip'; readonly reason: string; readonly state?: TaskState }
  /** Held by the lock of a start or an end that is under way: it goes back in line for a moment. */
  | { readonly do: 'rest'; readonly reason: string }
  /** Held by a lock, but nobody runs it: its lease is removed and it goes back in line. */
  | { readonly do: 'requeue'; readonly reason: string }
  | { readonly do: 'refuse'; readonly reason: string };

/** How long a lock without a run may belong to a start or an end that is under way. */
const GRACE_MS = 2 * 60_000;

/** Drops what was delivered twice. */
export function guardQueue(delivery: ClaimNotice): GuardDecision {
  const { addressedTo, me, state, lockHeld, runActive, touchedAgoMs } = delivery;
  if (addressedTo !== undefined && addressedTo !== me)
    return { do: 'refuse', reason: `it was given to ${addressedTo}` };
  if (state !== 'queued' && state !== 'running')
    return { do: 'skip', reason: `it is ${state} already`, state };
  if (runActive) return { do: 'skip', reason: 'it is being run already' };
  if (!lockHeld) return { do: 'run' };
  if (touchedAgoMs < GRACE_MS)
    return { do: 'rest', reason: 'another process on this machine is starting or ending it' };
  return { do: 'requeue', reason: 'its lock is held, but nobody has run it for two minutes' };
}
