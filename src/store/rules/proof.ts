import type { Task } from '../../backlog/task.ts';
import { all, type Rule, sql } from './say.ts';

/** Marks the tasks that were delivered although no command that could have failed has passed. */
export function* withProof(tasks: readonly Task[]): Rule<Task[]> {
  const delivered = tasks.filter(isDelivered).map(({ id }) => id);
  if (delivered.length === 0) return [...tasks];
  const rows = yield* all<{ task: string }>(sql`select run.task from run
    where run.task in (select value from json_each(${JSON.stringify(delivered)}))
      and run.id = (select max(last.id) from run as last where last.task = run.task)
      and json_extract(run.outcome, '$.outcome.outcome') in ('verified', 'no_op')`);
  const proven = new Set(rows.map(({ task }) => task));
  return tasks.map((task) =>
    isDelivered(task) && !proven.has(task.id) ? { ...task, unverified: true } : task,
  );
}

/** Research is proven by its sources, which its report names. */
function isDelivered({ kind, state, blockReason }: Task): boolean {
  return kind === 'code' && (state === 'done' || blockReason === 'awaiting_judge');
}
