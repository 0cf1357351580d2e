import { action } from '../kernel/action.ts';
import { ConflictError } from '../kernel/errors.ts';
import type { WaitCause } from '../kernel/wait-cause.ts';
import type { FailureClass, FailureCounts } from './retries.ts';
import type { BlockReason, TaskState } from './words.ts';

/**
 * The life of a task. `done` is final, but for work that a person takes out of its base again; `cancelled`, and
 * `failed` without retries left, stay until a person says `requeue`. Running to running is a takeover: the same run under the next epoch.
 *
 *   queued ----claim----> running ----done ------undone, with a verdict to be given again--> blocked
 *     ^                      |-------failed ------cool-down, requeue--> queued
 *     |----given back--------|-------blocked -----quota over, rework--> queued; judge approves: done
 *     |                      |-------cancelled----requeue-------------> queued
 */
export const TRANSITIONS: { readonly [from in TaskState]: readonly TaskState[] } = {
  queued: ['running', 'cancelled'],
  running: ['running', 'done', 'failed', 'blocked', 'queued', 'cancelled'],
  blocked: ['queued', 'done', 'cancelled'],
  failed: ['queued', 'cancelled'],
  cancelled: ['queued'],
  done: ['blocked'],
};

/** The state of a task does not allow what was asked for; nothing was changed. */
class TaskStateError extends ConflictError {}

/** The new state with everything that comes with it; what is not named is cleared or kept as told. */
export interface StateChange {
  readonly to: TaskState;
  readonly block?: BlockReason;
  /** Why, for the list of events. */
  readonly reason: string;
  readonly at: number;
  /** What it waits for now, and until when; nothing when it is final. */
  readonly waitsFor?: string;
  readonly until?: number;
  /** When it goes back in line by itself. */
  readonly wakeAt?: number;
  /** Kept when not given. */
  readonly epoch?: number;
  readonly attempts?: number;
  readonly quotaHits?: number;
  readonly notes?: string;
  readonly failureCode?: string | null;
  readonly failureClass?: FailureClass | null;
  readonly failures?: FailureCounts;
  /** Of a wait in `quota_wait`; cleared when not given. */
  readonly waitCause?: WaitCause;
  readonly session?: string | null;
}

const VERBS: { readonly [to in TaskState]: string } = {
  queued: 'put back in line',
  running: 'started',
  done: 'called done',
  failed: 'called failed',
  blocked: 'blocked',
  cancelled: 'cancelled',
};

/** Refuses a change that the table above does not have. */
export function checkChange(
  { id, state }: { readonly id: string; readonly state: TaskState },
  to: TaskState,
): void {
  if (TRANSITIONS[state].includes(to)) return;
  throw new TaskStateError(`Task ${id} is ${state}: it cannot be ${VERBS[to]}.`, {
    next:
      state === 'done'
        ? 'A task that is done stays done: add a new one.'
        : action('task.show', `Look at it. From ${state} it can become ${TRANSITIONS[state].join(', ')}`, {
            task: id,
          }),
  });
}

/** What a person may do, where the table alone would allow more. */
export function refuseRunning({ id, state }: { readonly id: string; readonly state: TaskState }): void {
  if (state !== 'running') return;
  throw new TaskStateError(`Task ${id} is running: it cannot be put back in line.`, {
    next: action('task.cancel', 'Wait for it, or cancel it first', { task: id }),
  });
}

/** Only what was delivered can come back from there. */
export function refuseUndelivered({ id, state }: { readonly id: string; readonly state: TaskState }): void {
  if (state === 'done') return;
  throw new TaskStateError(`Task ${id} is ${state}: it has delivered nothing that could be taken back.`, {
    next: action('task.show', 'Look at it', { task: id }),
  });
}

export function refuseUnjudged(task: {
  readonly id: string;
  readonly state: TaskState;
  readonly block_reason: BlockReason | null;
}): void {
  if (task.block_reason === 'awaiting_judge') return;
  throw new TaskStateError(`Task ${task.id} does not wait for a verdict: it is ${task.state}.`, {
    next: action('task.show', 'Look at it', { task: task.id }),
  });
}
