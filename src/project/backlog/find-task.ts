import type { Backlog } from '../../backlog/backlog.ts';
import type { Task } from '../../backlog/task.ts';
import { UsageError } from '../../kernel/errors.ts';
import { matchSession } from '../sessions/find-id.ts';

const SHORTEST = 4;
const LISTED = 10;

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
  if (written.length < SHORTEST && !ids.includes(written))
    throw new UsageError(`"${written}" is too short for the id of a task.`, {
      next: `Give at least ${SHORTEST} characters from its beginning or its end. List them: loopwright task list`,
    });
  const fitting = ids.filter(fits);
  if (fitting.length > 1 && !fitting.includes(written.toUpperCase()))
    throw new UsageError(
      `"${written}" fits ${fitting.length} tasks: ${fitting.slice(0, LISTED).join(', ')}`,
      {
        next: 'Give more characters of the one you mean, such as its last ones.',
      },
    );
  const id = matchSession(written, ids, () => '');
  const task = await backlog.get(id);
  if (task) return task;
  throw new UsageError(`Task ${id} is gone.`, { next: 'List them: loopwright task list' });
}
