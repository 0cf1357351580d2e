import type { Backlog } from '../../backlog/backlog.ts';
import type { Task } from '../../backlog/task.ts';
import { action } from '../../kernel/action.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import { shortId } from '../../kernel/short-ids.ts';
import { fitsId } from '../sessions/find-any.ts';

const SHORTEST = 4;
const LISTED = 10;
const LIST = action('task.list', 'List the tasks');

/** The one task that was meant: its id, or the first or last four characters when only one fits. */
export async function findTask(backlog: Backlog, written: string): Promise<Task> {
  const ids = await backlog.ids();
  const exact = ids.find((id) => id.toUpperCase() === written.toUpperCase());
  const fitting = exact === undefined ? ids.filter((id) => fitsId(id, written)) : [exact];
  const [only] = fitting;
  if (only === undefined)
    throw new NotFoundError(`There is no task "${written}" in this project.`, { next: LIST });
  if (exact === undefined && written.length < SHORTEST)
    throw new UsageError(`"${written}" is too short for the id of a task.`, {
      next: action(LIST.id, `Give at least ${SHORTEST} characters from its beginning or its end. List them`),
    });
  const told = fitting.slice(0, LISTED).map((id) => shortId(id, fitting));
  if (fitting.length > 1)
    throw new UsageError(`"${written}" fits ${fitting.length} tasks: ${told.join(', ')}`, {
      next: 'Give more characters of the one you mean, such as its last ones.',
    });
  const task = await backlog.get(only);
  if (task) return task;
  throw new NotFoundError(`Task ${only} was deleted meanwhile.`, { next: LIST });
}
