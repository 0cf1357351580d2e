/** Version 7: what sessions and tasks have used, what those that run may still use, and what a person added to a day. */
export const SPEND: readonly string[] = [
  `create table spend (
    seq integer primary key autoincrement,
    run text not null,
    day text not null,
    at integer not null,
    usd real not null,
    tokens integer not null
  )`,
  'create index spend_by_day on spend (day)',
  'create index spend_by_run on spend (run)',
  `create table spend_run (
    run text not null,
    day text not null,
    at integer not null,
    open integer not null,
    usd real not null,
    tokens integer not null,
    host text not null,
    pid integer not null,
    start_time text not null,
    primary key (run, day)
  ) without rowid`,
  `create table spend_raise (
    seq integer primary key autoincrement,
    day text not null,
    at integer not null,
    usd real not null,
    tokens integer not null,
    runs integer not null
  )`,
];
