import type { Database, Query } from '../../store/database.ts';
import { type ClashingSession, clashesOf, conflictsOf, recordConflicts } from '../../store/plans.ts';
import { clash, type PlanPattern, readPattern } from './pattern.ts';

export interface Blocker {
  readonly session: string;
  readonly status: 'waiting' | 'active' | 'held';
  /** What both mean to change. */
  readonly path: string;
}

export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly waitsFor: readonly Blocker[] };

export interface Conflict {
  readonly sessions: readonly [string, string];
  readonly path: string;
}

/**
 * Which session means to change what. Invariants:
 * 1. Two sessions whose plans clash are never admitted while both are active or held, whatever process asks.
 * 2. Of waiting sessions that clash, the one with the lower priority number goes first, then the older.
 * 3. Nobody who waits holds up one that is at work.
 * 4. A change of a plan looks only at the entries that could clash with it, through an index.
 */
export class ChangePlans {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Puts a session in line with its plan; repeating it changes nothing but what is new in the plan. */
  async enter(
    session: string,
    plan: readonly string[],
    options: { priority?: number; at: number },
  ): Promise<void> {
    const patterns = plan.map(readPattern);
    await this.#database.write(async (query) => {
      await query
        .insertInto('plan_session')
        .values({
          id: session,
          status: 'waiting',
          priority: options.priority ?? DEFAULT_PRIORITY,
          since: options.at,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      await addPaths(query, session, patterns);
    });
  }

  /** Lets the session start if its way is free, and says what it waits for otherwise. */
  async admit(session: string): Promise<Admission> {
    return this.#database.write(async (query) => {
      const waitsFor = await blockersOf(query, session);
      if (waitsFor.length > 0) return { admitted: false, waitsFor };
      await query.updateTable('plan_session').set({ status: 'active' }).where('id', '=', session).execute();
      return { admitted: true };
    });
  }

  /** Extends the plan of a session; gives the sessions it clashes with now. */
  async add(session: string, files: readonly string[]): Promise<readonly Blocker[]> {
    const patterns = files.map(readPattern);
    return this.#database.write(async (query) => {
      await addPaths(query, session, patterns);
      return conflictsOf(query, session);
    });
  }

  /** Puts a session aside: it keeps its place and blocks others until it goes on or leaves. */
  async hold(session: string): Promise<void> {
    await this.#database.write((query) =>
      query.updateTable('plan_session').set({ status: 'held' }).where('id', '=', session).execute(),
    );
  }

  /** The session has ended: the way is free. */
  async leave(session: string): Promise<void> {
    await this.#database.write((query) =>
      query.deleteFrom('plan_session').where('id', '=', session).execute(),
    );
  }

  async planOf(session: string): Promise<string[]> {
    const rows = await this.#database.query
      .selectFrom('plan_path')
      .select('pattern')
      .where('session', '=', session)
      .orderBy('pattern')
      .execute();
    return rows.map((row) => row.pattern);
  }

  async conflicts(): Promise<Conflict[]> {
    const rows = await this.#database.query.selectFrom('plan_conflict').selectAll().execute();
    return rows.map(({ a, b, path }) => ({ sessions: [a, b], path }));
  }

  async sessions(): Promise<{ id: string; status: Blocker['status']; priority: number; since: number }[]> {
    return this.#database.query
      .selectFrom('plan_session')
      .select(['id', 'status', 'priority', 'since'])
      .orderBy('priority')
      .orderBy('seq')
      .execute();
  }
}

const DEFAULT_PRIORITY = 100;

async function addPaths(query: Query, session: string, patterns: readonly PlanPattern[]): Promise<void> {
  for (const pattern of patterns) {
    const row = { session, pattern: pattern.pattern, prefix: pattern.prefix, wide: pattern.wide ? 1 : 0 };
    const { numInsertedOrUpdatedRows } = await query
      .insertInto('plan_path')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (!numInsertedOrUpdatedRows) continue;
    const near = await clashesOf(query, session, pattern.prefix);
    const clashing = near.filter((other) => clash(pattern, { ...other, wide: other.wide === 1 }));
    await recordConflicts(query, session, clashing, pattern.pattern);
  }
}

/**
 * Everybody it clashes with who is at work or put aside, and whoever waits before it in line. One that is at work
 * itself has had its turn: nobody who waits holds it up, and of two that turned out to clash the first goes on.
 */
async function blockersOf(query: Query, session: string): Promise<Blocker[]> {
  const own = await query
    .selectFrom('plan_session')
    .select(['priority', 'seq', 'status'])
    .where('id', '=', session)
    .executeTakeFirst();
  if (!own) return [];
  const isFirst = (other: ClashingSession): boolean =>
    other.priority < own.priority || (other.priority === own.priority && other.seq < own.seq);
  const clashing = await conflictsOf(query, session);
  return clashing
    .filter((other) =>
      own.status === 'active'
        ? other.status !== 'waiting' && isFirst(other)
        : other.status !== 'waiting' || isFirst(other),
    )
    .map(({ session: id, status, path }) => ({ session: id, status, path }));
}
