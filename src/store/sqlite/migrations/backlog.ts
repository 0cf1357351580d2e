/**
 * Version 2: the backlog. Lists and objects are JSON texts. What a claim writes has no index but its own key: a
 * claim is as durable as it is fast, and each page it touches is flushed.
 */
export const BACKLOG: readonly string[] = [
  `create table task (
    seq integer primary key autoincrement,
    id text not null unique,
    source text unique,
    title text not null,
    goal text not null,
    kind text not null check (kind in ('code', 'research')),
    role text not null check (role in ('worker', 'tester', 'docser')),
    mode text check (mode in ('github', 'local-git', 'direct')),
    allowed_paths text not null,
    scope text not null,
    denied_paths text not null,
    expected_files text not null,
    commands text not null,
    priority integer not null,
    timebox_minutes real,
    lane text not null,
    budget text,
    context text,
    state text not null check (state in ('queued', 'running', 'done', 'failed', 'blocked', 'cancelled')),
    block_reason text check (block_reason in ('awaiting_judge', 'quota_wait', 'needs_rework')),
    waits_for text,
    waits_until integer,
    failure_code text,
    attempts integer not null,
    quota_hits integer not null,
    notes text,
    session text,
    epoch integer not null,
    open_dependencies integer not null,
    rank integer not null,
    held_by text,
    held_since integer,
    wake_at integer,
    events integer not null,
    created_at integer not null,
    updated_at integer not null
  )`,
  `create index task_line on task (role, lane, rank)
    where state = 'queued' and open_dependencies = 0 and held_by is null and wake_at is null`,
  'create index task_wake on task (wake_at) where wake_at is not null',
  'create index task_held on task (held_by, rank) where held_by is not null',
  'create index task_passed_over on task (role, held_since) where held_since is not null',
  `create table lane (
    role text not null,
    name text not null,
    primary key (role, name)
  ) without rowid`,
  `create table task_dependency (
    task text not null references task (id) on delete cascade,
    needs text not null references task (id),
    primary key (task, needs)
  ) without rowid`,
  'create index task_dependency_by_needs on task_dependency (needs)',
  `create table run (
    task text not null,
    id text not null,
    attempt integer not null,
    session text not null,
    agent text not null,
    epoch integer not null,
    state text not null check (state in ('running', 'success', 'failed', 'cancelled')),
    started_at integer not null,
    finished_at integer,
    outcome text,
    primary key (task, id)
  ) without rowid`,
  `create table lease (
    task text primary key,
    run text not null,
    agent text not null,
    epoch integer not null,
    host text not null,
    pid integer not null,
    start_time text not null,
    scope text not null,
    paths text not null,
    expires_at integer not null,
    lease_ms integer not null,
    beat integer not null
  ) without rowid`,
  `create table lease_path (
    prefix text not null,
    pattern text not null,
    task text not null,
    wide integer not null,
    scope text not null,
    primary key (prefix, pattern, task)
  ) without rowid`,
  `create table artifact (
    seq integer primary key,
    task text not null,
    run text not null,
    type text not null,
    ref text not null,
    data text,
    created_at integer not null,
    unique (task, run, type, ref)
  )`,
  `create table task_event (
    task text not null,
    seq integer not null,
    at integer not null,
    epoch integer not null,
    state text not null,
    block_reason text,
    reason text not null,
    primary key (task, seq)
  ) without rowid`,
  `create table agent_block (
    agent text primary key,
    until integer not null,
    reason text not null,
    since integer not null
  ) without rowid`,
];
