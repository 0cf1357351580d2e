import { UsageError } from '../../kernel/errors.ts';
import type { Backlog } from '../../tasks/backlog/backlog.ts';
import type { Task } from '../../tasks/backlog/task.ts';
import { matchSession } from '../session-id.ts';

/** The one task that was meant: its id, or the first or last four characters when only one fits. */
export async function findTask(backlog: Backlog, written: string): Promise<Task> {
  const ids = await backlog.ids();
  const fits = (id: string): boolean =>
    id.toUpperCase().startsWith(written.toUpperCase()) || id.toUpperCase().endsWith(written.toUpperCase());
  if (!ids.some(fits)) {
    throw new UsageError(`There is no task "${written}" in this project.`, {
      next: 'List them: loopwright task list',
    });
  }
  const id = matchSession(written, ids, () => '');
  const task = await backlog.get(id);
  if (task) return task;
  throw new UsageError(`Task ${id} is gone.`, { next: 'List them: loopwright task list' });
}
