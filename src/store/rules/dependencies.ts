import { all, type Rule, run, sql } from './say.ts';

/** What a task needs, and what that needs, down to the end. */
export function* reachable(ids: readonly string[]): Rule<Map<string, string[]>> {
  const rows = yield* all<{ task: string; needs: string }>(sql`
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
export function* setDependencies(task: string, needs: readonly string[]): Rule<void> {
  yield* run(sql`delete from task_dependency where task = ${task}`);
  for (const other of new Set(needs))
    yield* run(sql`insert into task_dependency (task, needs) values (${task}, ${other})`);
  yield* run(sql`update task set open_dependencies = (
      select count(*) from task_dependency join task as other on other.id = needs
      where task_dependency.task = ${task} and other.state <> 'done')
    where id = ${task}`);
}
