import { sql } from 'kysely';
import { LoopwrightError } from '../../kernel/errors.ts';
import type { Query } from '../../store/database.ts';
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

/** The only place that changes the state of a task: row, event, and those that waited for it to be done. */
export async function changeState(query: Query, task: TaskRow, change: StateChange): Promise<void> {
  const { to, at, block = null, epoch = task.epoch } = change;
  if (!TRANSITIONS[task.state].includes(to)) throw notAllowed(task, to);
  await sql`update task set state = ${to}, block_reason = ${block}, waits_for = ${change.waitsFor ?? null},
      waits_until = ${change.until ?? null}, wake_at = ${change.wakeAt ?? null}, held_by = null, held_since = null,
      epoch = ${epoch}, attempts = ${change.attempts ?? task.attempts},
      quota_hits = ${change.quotaHits ?? task.quota_hits}, notes = ${change.notes ?? task.notes},
      failure_code = ${kept(change.failureCode, task.failure_code)},
      session = ${kept(change.session, task.session)}, updated_at = ${at}
    where seq = ${task.seq}`.execute(query);
  await recordEvent(query, { ...change, task: task.id, epoch, block });
  if (to === 'done') await freeDependents(query, task.id);
}

export async function recordEvent(
  query: Query,
  event: {
    readonly task: string;
    readonly to: TaskState;
    readonly block: BlockReason | null;
    readonly reason: string;
    readonly at: number;
    readonly epoch: number;
  },
): Promise<void> {
  await sql`insert into task_event (task, at, epoch, state, block_reason, reason)
    values (${event.task}, ${event.at}, ${event.epoch}, ${event.to}, ${event.block}, ${event.reason})`.execute(
    query,
  );
}

async function freeDependents(query: Query, id: string): Promise<void> {
  await sql`update task set open_dependencies = open_dependencies - 1
    where id in (select task from task_dependency where needs = ${id})`.execute(query);
}

function kept<T>(given: T | undefined, known: T): T {
  return given === undefined ? known : given;
}

const VERBS: { readonly [to in TaskState]: string } = {
  queued: 'put back in line',
  running: 'started',
  done: 'called done',
  failed: 'called failed',
  blocked: 'blocked',
  cancelled: 'cancelled',
};

function notAllowed({ id, state }: TaskRow, to: TaskState): TaskStateError {
  return new TaskStateError(`Task ${id} is ${state}: it cannot be ${VERBS[to]}.`, {
    next:
      state === 'done'
        ? 'A task that is done stays done: add a new one.'
        : `See \`loopwright task show ${id}\`. From ${state} it can become ${TRANSITIONS[state].join(', ')}.`,
  });
}
