import { beginningsOf } from './beginnings.ts';
import type { Query } from './database.ts';

export interface NearPath {
  readonly session: string;
  readonly pattern: string;
  readonly prefix: string;
  readonly wide: number;
}

/**
 * Entries of other sessions that could clash with one that begins with `prefix`: those that begin with it, and
 * those it begins with. Both are found through the index on `prefix`, so the cost does not grow with the rest.
 */
export async function clashesOf(query: Query, session: string, prefix: string): Promise<NearPath[]> {
  const columns = ['session', 'pattern', 'prefix', 'wide'] as const;
  const above = query.selectFrom('plan_path').select(columns).where('prefix', 'in', beginningsOf(prefix));
  const below = query
    .selectFrom('plan_path')
    .select(columns)
    .where('prefix', '>', prefix)
    .where('prefix', '<', `${prefix}\u{10ffff}`);
  const rows = await above.unionAll(below).execute();
  return rows.filter((row) => row.session !== session);
}

export async function recordConflicts(
  query: Query,
  session: string,
  others: readonly NearPath[],
  pattern: string,
): Promise<void> {
  for (const other of others) {
    const [a, b] = [session, other.session].sort() as [string, string];
    const path = other.pattern.length > pattern.length ? other.pattern : pattern;
    await query
      .insertInto('plan_conflict')
      .values({ a, b, path })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export interface ClashingSession {
  readonly session: string;
  readonly status: 'waiting' | 'active' | 'held';
  readonly priority: number;
  readonly seq: number;
  readonly path: string;
}

/** The sessions that a session clashes with, first in line first. */
export async function conflictsOf(query: Query, session: string): Promise<ClashingSession[]> {
  const half = (mine: 'a' | 'b', theirs: 'a' | 'b') =>
    query
      .selectFrom('plan_conflict')
      .innerJoin('plan_session', 'plan_session.id', `plan_conflict.${theirs}`)
      .select([
        'plan_session.id as session',
        'plan_session.status as status',
        'plan_session.priority as priority',
        'plan_session.seq as seq',
        'plan_conflict.path as path',
      ])
      .where(`plan_conflict.${mine}`, '=', session);
  const rows = await half('a', 'b').unionAll(half('b', 'a')).execute();
  return rows.sort((x, y) => x.priority - y.priority || x.seq - y.seq || (x.path < y.path ? -1 : 1));
}
