import { UsageError } from '../../kernel/errors.ts';
import type { Query } from '../../store/database.ts';
import { openLane, refuseUnknown, unknownTask } from './add.ts';
import { reachable, refuseCycle, setDependencies } from './dependencies.ts';
import { draftColumns, taskOf } from './row.ts';
import type { TaskDraft } from './task.ts';
import { checkDraft } from './validate.ts';

/** Changes what a person decides; not while it runs, for its owner has read it already. */
export async function editTask(
  query: Query,
  id: string,
  changes: Partial<TaskDraft>,
  at: number,
): Promise<void> {
  const row = await query.selectFrom('task').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw unknownTask(id);
  if (row.state === 'running' || row.state === 'done') {
    throw new UsageError(`Task ${id} is ${row.state}: it cannot be changed any more.`, {
      next: row.state === 'done' ? 'Add a new task.' : 'Wait for it, or cancel it first.',
    });
  }
  const draft: TaskDraft = { ...taskOf(row, []), ...changes };
  checkDraft(draft);
  if (changes.dependencies) {
    await refuseUnknown(query, changes.dependencies);
    const needs = await reachable(query, changes.dependencies);
    refuseCycle(needs.set(id, [...changes.dependencies]), (other) => other);
    await setDependencies(query, id, changes.dependencies);
  }
  const columns = draftColumns(draft, row.created_at);
  await openLane(query, columns);
  await query
    .updateTable('task')
    .set({ ...columns, held_by: null, held_since: null, updated_at: at })
    .where('id', '=', id)
    .execute();
}

/** Deletes a task with its runs and events; refused while it runs or others need it. */
export async function removeTask(query: Query, id: string): Promise<void> {
  const row = await query.selectFrom('task').select('state').where('id', '=', id).executeTakeFirst();
  if (!row) throw unknownTask(id);
  if (row.state === 'running') {
    throw new UsageError(`Task ${id} is running: it cannot be removed.`, { next: 'Cancel it first.' });
  }
  const needed = await query.selectFrom('task_dependency').select('task').where('needs', '=', id).execute();
  if (needed.length > 0) {
    throw new UsageError(`Task ${id} is needed by ${needed.map(({ task }) => task).join(', ')}.`, {
      next: 'Remove those first, or take it out of their dependencies with `loopwright task edit`.',
    });
  }
  for (const table of ['artifact', 'task_event', 'run'] as const)
    await query.deleteFrom(table).where('task', '=', id).execute();
  await query.deleteFrom('task').where('id', '=', id).execute();
}
