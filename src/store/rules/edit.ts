import { refuseCycle } from '../../backlog/dependencies.ts';
import type { TaskDraft } from '../../backlog/task.ts';
import { checkDraft } from '../../backlog/validate.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { openLane, refuseUnknown, unknownTask } from './add.ts';
import { reachable, setDependencies } from './dependencies.ts';
import { draftColumns, taskOf } from './row.ts';
import type { TaskRow } from './rows.ts';
import { all, type Rule, run, sql } from './say.ts';

/** Changes what a person decides; not while it runs, for its owner has read it already. */
export function* editTask(
  id: string,
  changes: Partial<TaskDraft>,
  { at, prefix }: { readonly at: number; readonly prefix: string },
): Rule<void> {
  const [row] = yield* all<TaskRow>(sql`select * from task where id = ${id}`);
  if (!row) throw unknownTask(id);
  if (row.state === 'running' || row.state === 'done') {
    throw new ConflictError(`Task ${id} is ${row.state}: it can no longer be changed.`, {
      next:
        row.state === 'done'
          ? action('task.add', 'Add a new task')
          : action('task.cancel', 'Wait for it, or cancel it first', { task: id }),
    });
  }
  const draft: TaskDraft = { ...taskOf(row, []), ...changes };
  checkDraft(draft);
  if (changes.dependencies) {
    yield* refuseUnknown(changes.dependencies);
    const needs = yield* reachable(changes.dependencies);
    refuseCycle(needs.set(id, [...changes.dependencies]), (other) => other);
    yield* setDependencies(id, changes.dependencies);
  }
  const next = draftColumns(draft, { at: row.created_at, prefix });
  yield* openLane(next);
  yield* run(sql`update task set title = ${next.title}, goal = ${next.goal}, kind = ${next.kind}, role = ${next.role},
      mode = ${next.mode}, allowed_paths = ${next.allowed_paths}, scope = ${next.scope}, denied_paths = ${next.denied_paths},
      expected_files = ${next.expected_files}, commands = ${next.commands}, priority = ${next.priority},
      rank = ${next.rank}, timebox_minutes = ${next.timebox_minutes}, lane = ${next.lane},
      budget = ${next.budget}, context = ${next.context}, notes = ${next.notes}, held_by = null,
      held_since = null, updated_at = ${at}
    where id = ${id}`);
}

/** Deletes a task with its runs and events; refused while it runs or others need it. */
export function* removeTask(id: string): Rule<void> {
  const [row] = yield* all<{ state: string }>(sql`select state from task where id = ${id}`);
  if (!row) throw unknownTask(id);
  if (row.state === 'running') {
    throw new ConflictError(`Task ${id} is running: it cannot be removed.`, {
      next: action('task.cancel', 'Cancel it first', { task: id }),
    });
  }
  const needed = yield* all<{ task: string }>(sql`select task from task_dependency where needs = ${id}`);
  if (needed.length > 0) {
    const others = needed.map(({ task }) => task);
    throw new ConflictError(`Task ${id} is needed by ${others.join(', ')}.`, {
      next: action('task.edit', 'Remove those first, or take it out of their dependencies', {
        task: others[0],
      }),
    });
  }
  yield* run(sql`delete from artifact where task = ${id}`);
  yield* run(sql`delete from task_event where task = ${id}`);
  yield* run(sql`delete from run where task = ${id}`);
  yield* run(sql`delete from task where id = ${id}`);
}
