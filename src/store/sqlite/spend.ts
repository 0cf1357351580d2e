import type { BeginningRun, Cap, Reached, Spending, SpendState } from '../../backlog/spend.ts';
import { addSpend, beginRun, endRun, raiseDay, spendState } from '../rules/spend.ts';
import type { StoreContext } from './context.ts';
import type { Database } from './database.ts';

/** What was spent, in the embedded database. */
export class SqliteSpending implements Spending {
  readonly #database: Database;
  readonly #context: StoreContext;

  constructor(database: Database, context: StoreContext) {
    this.#database = database;
    this.#context = context;
  }

  begin(run: BeginningRun): Promise<Reached | undefined> {
    const { clock, owner, isGone } = this.#context;
    return this.#database.transact(() => beginRun({ ...run, at: clock.now(), owner: owner(), isGone }));
  }

  used(run: string, day: string, usage: { readonly usd: number; readonly tokens: number }): Promise<void> {
    const at = this.#context.clock.now();
    return this.#database.transact(() => addSpend({ ...usage, run, day, at }));
  }

  end(run: string): Promise<void> {
    return this.#database.transact(() => endRun(run));
  }

  state(day: string): Promise<SpendState> {
    return this.#database.read(spendState(day, this.#context.isGone));
  }

  raise(day: string, more: Cap): Promise<void> {
    return this.#database.transact(() => raiseDay(day, this.#context.clock.now(), more));
  }
}
