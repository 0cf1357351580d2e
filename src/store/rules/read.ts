import type { TaskFilter } from '../../backlog/backlog.ts';
import type { Task } from '../../backlog/task.ts';
import { taskOf } from './row.ts';
import type { TaskRow } from './rows.ts';
import { all, Fragment, type Rule, sql } from './say.ts';

type WithNeeds = TaskRow & { readonly needs: string };

const withNeeds = new Fragment(
  'task.*, (select json_group_array(needs) from task_dependency d where d.task = task.id) as needs',
);

/** In the order of the line: by priority, then age. */
export function* tasksOf({ states, role, limit, updatedSince }: TaskFilter): Rule<Task[]> {
  const wanted = states === undefined ? null : JSON.stringify(states);
  const rows = yield* all<WithNeeds>(sql`select ${withNeeds} from task
    where (${wanted} is null or state in (select value from json_each(${wanted})))
      and (${role ?? null} is null or role = ${role ?? null})
      and updated_at >= ${updatedSince ?? 0}
    order by rank, seq limit ${limit ?? -1}`);
  return rows.map(asTask);
}

export function* taskWith(id: string): Rule<Task | undefined> {
  const [row] = yield* all<WithNeeds>(sql`select ${withNeeds} from task where id = ${id}`);
  return row && asTask(row);
}

export function* idsOfTasks(): Rule<string[]> {
  const rows = yield* all<{ id: string }>(sql`select id from task order by seq`);
  return rows.map(({ id }) => id);
}

function asTask(row: WithNeeds): Task {
  return taskOf(row, JSON.parse(row.needs));
}

/**
 * Marks the tasks that were delivered without proof: work that no command has passed which could have failed, and
 * research whose claims have less than their profile asks for.
 */
export function* withProof(tasks: readonly Task[]): Rule<Task[]> {
  const delivered = tasks.filter(isDelivered).map(({ id }) => id);
  if (delivered.length === 0) return [...tasks];
  const rows = yield* all<{ task: string }>(sql`select run.task from run
    where run.task in (select value from json_each(${JSON.stringify(delivered)}))
      and run.id = (select max(last.id) from run as last where last.task = run.task)
      and (json_extract(run.outcome, '$.outcome.outcome') in ('verified', 'no_op', 'planned')
        or json_extract(run.outcome, '$.outcome.proven') = 1)`);
  const proven = new Set(rows.map(({ task }) => task));
  return tasks.map((task) =>
    isDelivered(task) && !proven.has(task.id) ? { ...task, unverified: true } : task,
  );
}

function isDelivered({ state, blockReason }: Task): boolean {
  return state === 'done' || blockReason === 'awaiting_judge';
}
