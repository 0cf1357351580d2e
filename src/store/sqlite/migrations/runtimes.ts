/** Version 5: the runtimes that work on the backlog. */
export const RUNTIMES: readonly string[] = [
  `create table runtime (
    id text primary key,
    name text not null,
    role text not null check (role in ('worker', 'tester', 'docser')),
    host text not null,
    pid integer not null,
    start_time text not null,
    state text not null check (state in ('idle', 'busy', 'stopping')),
    since integer not null,
    seen_at integer not null,
    beat_ms integer not null
  ) without rowid`,
];
