import { UsageError } from '../../kernel/errors.ts';
import { type Rows, sql } from '../../store/rows.ts';
import { openLane, refuseUnknown, unknownTask } from './add.ts';
import { reachable, refuseCycle, setDependencies } from './dependencies.ts';
import { draftColumns, taskOf } from './row.ts';
import type { TaskDraft, TaskRow } from './task.ts';
import { checkDraft } from './validate.ts';

/** Changes what a person decides; not while it runs, for its owner has read it already. */
export function editTask(rows: Rows, id: string, changes: Partial<TaskDraft>, at: number): void {
  const [row] = rows.all<TaskRow>(sql`select * from task where id = ${id}`);
  if (!row) throw unknownTask(id);
  if (row.state === 'running' || row.state === 'done') {
    throw new UsageError(`Task ${id} is ${row.state}: it cannot be changed any more.`, {
      next: row.state === 'done' ? 'Add a new task.' : 'Wait for it, or cancel it first.',
    });
  }
  const draft: TaskDraft = { ...taskOf(row, []), ...changes };
  checkDraft(draft);
  if (changes.dependencies) {
    refuseUnknown(rows, changes.dependencies);
    const needs = reachable(rows, changes.dependencies);
    refuseCycle(needs.set(id, [...changes.dependencies]), (other) => other);
    setDependencies(rows, id, changes.dependencies);
  }
  const next = draftColumns(draft, row.created_at);
  openLane(rows, next);
  rows.run(sql`update task set title = ${next.title}, goal = ${next.goal}, kind = ${next.kind}, role = ${next.role},
      mode = ${next.mode}, allowed_paths = ${next.allowed_paths}, scope = ${next.scope}, denied_paths = ${next.denied_paths},
      expected_files = ${next.expected_files}, commands = ${next.commands}, priority = ${next.priority},
      rank = ${next.rank}, timebox_minutes = ${next.timebox_minutes}, lane = ${next.lane},
      budget = ${next.budget}, context = ${next.context}, notes = ${next.notes}, held_by = null,
      held_since = null, updated_at = ${at}
    where id = ${id}`);
}

/** Deletes a task with its runs and events; refused while it runs or others need it. */
export function removeTask(rows: Rows, id: string): void {
  const [row] = rows.all<{ state: string }>(sql`select state from task where id = ${id}`);
  if (!row) throw unknownTask(id);
  if (row.state === 'running') {
    throw new UsageError(`Task ${id} is running: it cannot be removed.`, { next: 'Cancel it first.' });
  }
  const needed = rows.all<{ task: string }>(sql`select task from task_dependency where needs = ${id}`);
  if (needed.length > 0) {
    throw new UsageError(`Task ${id} is needed by ${needed.map(({ task }) => task).join(', ')}.`, {
      next: 'Remove those first, or take it out of their dependencies with `loopwright task edit`.',
    });
  }
  rows.run(sql`delete from artifact where task = ${id}`);
  rows.run(sql`delete from task_event where task = ${id}`);
  rows.run(sql`delete from run where task = ${id}`);
  rows.run(sql`delete from task where id = ${id}`);
}
