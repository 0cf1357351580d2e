import { LoopwrightError } from '../../kernel/errors.ts';
import { type Rows, sql } from '../../store/rows.ts';
import type { BlockReason, TaskRow, TaskState } from './task.ts';

/**
 * The life of a task. `done` is final; `cancelled`, and `failed` without retries left, stay until a person says
 * `requeue`. Running to running is a takeover: the same run under the next epoch.
 *
 *   queued ----claim----> running ----done
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
  done: [],
};

/** The state of a task does not allow what was asked for; nothing was changed. */
export class TaskStateError extends LoopwrightError {}

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
  readonly session?: string | null;
}

/** What of a task must be known to change its state. */
export type Changing = Pick<
  TaskRow,
  'seq' | 'id' | 'state' | 'epoch' | 'events' | 'held_by' | 'held_since' | 'wake_at'
>;

/** The only place that changes the state of a task: row, event, and those that waited for it to be done. */
export function changeState(query: Rows, task: Changing, change: StateChange): void {
  const { to, at, epoch = task.epoch } = change;
  if (!TRANSITIONS[task.state].includes(to)) throw notAllowed(task, to);
  // Only then, because touching these columns touches three more indexes.
  if (task.held_by !== null || task.held_since !== null || task.wake_at !== (change.wakeAt ?? null))
    query.run(sql`update task set held_by = null, held_since = null, wake_at = ${change.wakeAt ?? null}
      where seq = ${task.seq}`);
  query.run(sql`update task set state = ${to}, block_reason = ${change.block ?? null},
      waits_for = ${change.waitsFor ?? null}, waits_until = ${change.until ?? null}, epoch = ${epoch},
      attempts = coalesce(${change.attempts ?? null}, attempts),
      quota_hits = coalesce(${change.quotaHits ?? null}, quota_hits), notes = coalesce(${change.notes ?? null}, notes),
      failure_code = case when ${keeps(change.failureCode)} then failure_code else ${change.failureCode ?? null} end, session = case when ${keeps(change.session)} then session else ${change.session ?? null} end,
      events = events + 1, updated_at = ${at}
    where seq = ${task.seq}`);
  recordEvent(query, { ...change, task: task.id, seq: task.events + 1, epoch });
  if (to === 'done') freeDependents(query, task.id);
}

export function recordEvent(
  query: Rows,
  event: Pick<StateChange, 'to' | 'block' | 'reason' | 'at'> & {
    readonly task: string;
    readonly seq: number;
    readonly epoch: number;
  },
): void {
  const { task, seq, at, epoch, to, block = null, reason } = event;
  query.run(sql`insert into task_event (task, seq, at, epoch, state, block_reason, reason)
    values (${task}, ${seq}, ${at}, ${epoch}, ${to}, ${block}, ${reason})`);
}

function freeDependents(query: Rows, id: string): void {
  query.run(sql`update task set open_dependencies = open_dependencies - 1
    where id in (select task from task_dependency where needs = ${id})`);
}

function keeps(given: string | null | undefined): number {
  return given === undefined ? 1 : 0;
}

const VERBS: { readonly [to in TaskState]: string } = {
  queued: 'put back in line',
  running: 'started',
  done: 'called done',
  failed: 'called failed',
  blocked: 'blocked',
  cancelled: 'cancelled',
};

function notAllowed({ id, state }: Changing, to: TaskState): TaskStateError {
  return new TaskStateError(`Task ${id} is ${state}: it cannot be ${VERBS[to]}.`, {
    next:
      state === 'done'
        ? 'A task that is done stays done: add a new one.'
        : `See \`loopwright task show ${id}\`. From ${state} it can become ${TRANSITIONS[state].join(', ')}.`,
  });
}
