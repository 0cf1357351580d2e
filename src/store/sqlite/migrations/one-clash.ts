/**
 * Version 4: sessions with a change plan and running tasks are found in one table, so that they see each other. What
 * a claim writes has no index but its own key; the plans of sessions have one by their session.
 */
export const ONE_CLASH: readonly string[] = [
  `create table planned_path (
    prefix text not null,
    pattern text not null,
    kind text not null check (kind in ('session', 'task')),
    holder text not null,
    wide integer not null,
    scope text not null,
    primary key (prefix, pattern, kind, holder)
  ) without rowid`,
  "create index planned_path_of_session on planned_path (holder) where kind = 'session'",
  `insert into planned_path (prefix, pattern, kind, holder, wide, scope)
    select prefix, pattern, 'session', session, wide, 'session ' || session from plan_path`,
  `insert into planned_path (prefix, pattern, kind, holder, wide, scope)
    select prefix, pattern, 'task', task, wide, scope from lease_path`,
  // A task without allowed paths may change anything; before, it was taken to change nothing.
  `update task set scope = '{"key":"983987033f0e117011e5","patterns":[{"pattern":"**","prefix":"","wide":true}]}'
    where kind = 'code' and allowed_paths = '[]'`,
  'drop table plan_conflict',
  'drop table plan_path',
  'drop table lease_path',
];
