import { sql } from 'kysely';
import type { Query } from '../../store/database.ts';
import type { Task } from './task.ts';

/** Outcomes of a run that rest on a command that passed and could have failed. */
const PROVEN = ['verified', 'no_op'];

/** Marks the tasks that were delivered although no command has shown that they work. */
export async function withProof(query: Query, tasks: readonly Task[]): Promise<Task[]> {
  const delivered = tasks.filter(isDelivered).map(({ id }) => id);
  if (delivered.length === 0) return [...tasks];
  const { rows } = await sql<{ task: string }>`select run.task from run
    where run.task in (select value from json_each(${JSON.stringify(delivered)}))
      and run.id = (select max(last.id) from run as last where last.task = run.task)
      and json_extract(run.outcome, '$.outcome.outcome') in (${sql.join(PROVEN)})`.execute(query);
  const proven = new Set(rows.map(({ task }) => task));
  return tasks.map((task) =>
    isDelivered(task) && !proven.has(task.id) ? { ...task, unverified: true } : task,
  );
}

/** Research is proven by its sources, which its report names. */
function isDelivered({ kind, state, blockReason }: Task): boolean {
  return kind === 'code' && (state === 'done' || blockReason === 'awaiting_judge');
}
