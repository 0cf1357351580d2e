import { checkChange, type StateChange } from '../../backlog/states.ts';
import type { TaskRow } from './rows.ts';
import { type Rule, run, sql } from './say.ts';

/** What of a task must be known to change its state. */
export type Changing = Pick<
  TaskRow,
  'seq' | 'id' | 'state' | 'epoch' | 'events' | 'held_by' | 'held_since' | 'wake_at'
>;

/** The only place that changes the state of a task: row, event, and those that waited for it to be done. */
export function* changeState(task: Changing, change: StateChange): Rule<void> {
  const { to, at, epoch = task.epoch } = change;
  checkChange(task, to);
  // Only then, because touching these columns touches three more indexes.
  if (task.held_by !== null || task.held_since !== null || task.wake_at !== (change.wakeAt ?? null))
    yield* run(sql`update task set held_by = null, held_since = null, wake_at = ${change.wakeAt ?? null}
      where seq = ${task.seq}`);
  yield* run(sql`update task set state = ${to}, block_reason = ${change.block ?? null},
      waits_for = ${change.waitsFor ?? null}, waits_until = ${change.until ?? null}, epoch = ${epoch},
      attempts = coalesce(${change.attempts ?? null}, attempts),
      quota_hits = coalesce(${change.quotaHits ?? null}, quota_hits), notes = coalesce(${change.notes ?? null}, notes),
      failure_code = case when ${keeps(change.failureCode)} then failure_code else ${change.failureCode ?? null} end, failure_class = case when ${keeps(change.failureClass)} then failure_class else ${change.failureClass ?? null} end,
      failures = coalesce(${change.failures === undefined ? null : JSON.stringify(change.failures)}, failures),
      wait_cause = ${change.waitCause ?? null},
      session = case when ${keeps(change.session)} then session else ${change.session ?? null} end,
      events = events + 1, updated_at = ${at}
    where seq = ${task.seq}`);
  yield* recordEvent({ ...change, task: task.id, seq: task.events + 1, epoch });
  if (to === 'done') yield* countDependents(task.id, -1);
  else if (task.state === 'done') yield* countDependents(task.id, 1);
}

export function* recordEvent(
  event: Pick<StateChange, 'to' | 'block' | 'reason' | 'at'> & {
    readonly task: string;
    readonly seq: number;
    readonly epoch: number;
  },
): Rule<void> {
  const { task, seq, at, epoch, to, block = null, reason } = event;
  yield* run(sql`insert into task_event (task, seq, at, epoch, state, block_reason, reason)
    values (${task}, ${seq}, ${at}, ${epoch}, ${to}, ${block}, ${reason})`);
}

/** Whoever needs it has one thing less, or more, to wait for. */
function* countDependents(id: string, more: 1 | -1): Rule<void> {
  yield* run(sql`update task set open_dependencies = open_dependencies + ${more}
    where id in (select task from task_dependency where needs = ${id})`);
}

function keeps(given: string | null | undefined): number {
  return given === undefined ? 1 : 0;
}
