import type { Generated } from 'kysely';
import type { BacklogTables } from './backlog-tables.ts';

/** What is stored. Times are milliseconds since 1970, truth values 0 and 1. */
export interface Tables extends BacklogTables {
  plan_session: PlanSessionTable;
  plan_path: PlanPathTable;
  plan_conflict: PlanConflictTable;
}

/** A session that means to change files: in line, at work, or put aside. */
interface PlanSessionTable {
  id: string;
  status: 'waiting' | 'active' | 'held';
  /** Lower goes first. */
  priority: number;
  /** Place in line. */
  seq: Generated<number>;
  since: number;
}

/** One path, folder or glob of a change plan; `prefix` is its literal beginning, by which clashes are found. */
interface PlanPathTable {
  session: string;
  pattern: string;
  prefix: string;
  /** Whether it may mean more than the one file. */
  wide: number;
}

/** Two sessions that mean to change the same file; `a` < `b`, so each pair is stored once per path. */
interface PlanConflictTable {
  a: string;
  b: string;
  path: string;
}
