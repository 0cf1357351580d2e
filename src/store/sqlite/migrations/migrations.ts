import { ADVANCE } from './advance.ts';
import { BACKLOG } from './backlog.ts';
import { FAILURE_CLASSES } from './failure-classes.ts';
import { ONE_CLASH } from './one-clash.ts';
import { RESEARCH_SCHEMA } from './research.ts';
import { RESEARCH_PROOF } from './research-proof.ts';
import { RUNTIMES } from './runtimes.ts';
import { SPEND } from './spend.ts';

/** Each entry takes the database one version further; an entry is never changed once it was released. */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `create table plan_session (
      seq integer primary key autoincrement,
      id text not null unique,
      status text not null check (status in ('waiting', 'active', 'held')),
      priority integer not null,
      since integer not null
    )`,
    `create table plan_path (
      session text not null references plan_session (id) on delete cascade,
      pattern text not null,
      prefix text not null,
      wide integer not null,
      primary key (session, pattern)
    ) without rowid`,
    'create index plan_path_by_prefix on plan_path (prefix)',
    `create table plan_conflict (
      a text not null references plan_session (id) on delete cascade,
      b text not null references plan_session (id) on delete cascade,
      path text not null,
      primary key (a, b, path)
    ) without rowid`,
    'create index plan_conflict_by_b on plan_conflict (b)',
  ],
  BACKLOG,
  RESEARCH_SCHEMA,
  ONE_CLASH,
  RUNTIMES,
  ADVANCE,
  SPEND,
  RESEARCH_PROOF,
  FAILURE_CLASSES,
];
