import { UsageError } from '../../kernel/errors.ts';
import { type Rows, sql } from '../../store/rows.ts';

export type Needs = ReadonlyMap<string, readonly string[]>;

/** A way from a task back to itself, first and last the same; undefined when there is none. */
export function findCycle(needs: Needs): string[] | undefined {
  const finished = new Set<string>();
  for (const start of needs.keys()) {
    const way: { readonly id: string; readonly rest: string[] }[] = [
      { id: start, rest: [...(needs.get(start) ?? [])] },
    ];
    while (way.length > 0) {
      const here = way[way.length - 1];
      const next = here?.rest.pop();
      if (next === undefined) {
        if (here) finished.add(here.id);
        way.pop();
        continue;
      }
      const from = way.findIndex(({ id }) => id === next);
      if (from >= 0) return [...way.slice(from).map(({ id }) => id), next];
      if (!finished.has(next)) way.push({ id: next, rest: [...(needs.get(next) ?? [])] });
    }
  }
  return undefined;
}

export function refuseCycle(needs: Needs, nameOf: (id: string) => string): void {
  const cycle = findCycle(needs);
  if (!cycle) return;
  throw new UsageError(`The dependencies go in a circle: ${cycle.map(nameOf).join(' needs ')}.`, {
    next: 'Take one of them out. Nothing was changed.',
  });
}

/** What a task needs, and what that needs, down to the end. */
export function reachable(query: Rows, ids: readonly string[]): Map<string, string[]> {
  const rows = query.all<{ task: string; needs: string }>(sql`
    with recursive reached (id) as (
      select value from json_each(${JSON.stringify(ids)})
      union
      select needs from task_dependency join reached on task = id
    )
    select task, needs from task_dependency where task in (select id from reached)`);
  const needs = new Map<string, string[]>();
  for (const row of rows) needs.set(row.task, [...(needs.get(row.task) ?? []), row.needs]);
  return needs;
}

/** Replaces what a task needs and counts how much of it is still open. */
export function setDependencies(query: Rows, task: string, needs: readonly string[]): void {
  query.run(sql`delete from task_dependency where task = ${task}`);
  for (const other of new Set(needs))
    query.run(sql`insert into task_dependency (task, needs) values (${task}, ${other})`);
  query.run(sql`update task set open_dependencies = (
      select count(*) from task_dependency join task as other on other.id = needs
      where task_dependency.task = ${task} and other.state <> 'done')
    where id = ${task}`);
}
