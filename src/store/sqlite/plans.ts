import { readPattern } from '../../backlog/pattern.ts';
import type { Admission, Blocker, Conflict, PlanPlace, Plans } from '../../backlog/plans.ts';
import { DEFAULT_PRIORITY } from '../../backlog/rank.ts';
import { clashesWith } from '../rules/paths.ts';
import { admit, conflicts, enter, extendPlan, hold, leave, patternsOf, places } from '../rules/plans.ts';
import { WriteWatch } from './changes.ts';
import type { StoreContext } from './context.ts';
import type { Database } from './database.ts';

/** The change plans in the embedded database. */
export class SqlitePlans implements Plans {
  readonly #database: Database;
  readonly #context: StoreContext;
  readonly #writes: WriteWatch;

  constructor(database: Database, context: StoreContext) {
    this.#database = database;
    this.#context = context;
    this.#writes = new WriteWatch(database, context.clock);
  }

  async enter(session: string, plan: readonly string[], options: { priority?: number } = {}): Promise<void> {
    const patterns = plan.map(readPattern);
    const { priority = DEFAULT_PRIORITY } = options;
    const at = this.#context.clock.now();
    return this.#database.transact(() => enter(session, { patterns, priority, at }));
  }

  admit(session: string): Promise<Admission> {
    this.#writes.look();
    return this.#database.transact(() => admit(session));
  }

  async add(session: string, files: readonly string[]): Promise<readonly Blocker[]> {
    const patterns = files.map(readPattern);
    return this.#database.transact(() => extendPlan(session, patterns));
  }

  hold(session: string): Promise<void> {
    return this.#database.transact(() => hold(session));
  }

  leave(session: string): Promise<void> {
    return this.#database.transact(() => leave(session));
  }

  async clashes(path: string) {
    const found = await this.#database.read(clashesWith(readPattern(path)));
    return found.map(({ kind, id, path: theirs }) => ({ kind, id, path: theirs }));
  }

  async planOf(session: string): Promise<string[]> {
    return (await this.#database.read(patternsOf(session))).map(({ pattern }) => pattern);
  }

  sessions(): Promise<PlanPlace[]> {
    return this.#database.read(places());
  }

  conflicts(): Promise<Conflict[]> {
    return this.#database.read(conflicts());
  }

  changed(until: number | undefined, stop: AbortSignal): Promise<void> {
    return this.#writes.changed(until, stop);
  }
}
