import type { RuntimeEntry, RuntimeRow, Runtimes } from '../../backlog/runtimes.ts';
import type { RuntimeState } from '../../backlog/words.ts';
import { beatRuntime, enterRuntime, leaveRuntime, runtimesAt } from '../rules/runtimes.ts';
import type { StoreContext } from './context.ts';
import type { Database } from './database.ts';

/** The runtimes in the embedded database. */
export class SqliteRuntimes implements Runtimes {
  readonly #database: Database;
  readonly #context: StoreContext;

  constructor(database: Database, context: StoreContext) {
    this.#database = database;
    this.#context = context;
  }

  async enter(entry: RuntimeEntry): Promise<string> {
    const { clock, ids, owner } = this.#context;
    const id = ids();
    await this.#database.transact(() => enterRuntime({ ...entry, id, owner: owner(), at: clock.now() }));
    return id;
  }

  beat(id: string, state: RuntimeState): Promise<void> {
    return this.#database.transact(() => beatRuntime(id, state, this.#context.clock.now()));
  }

  leave(id: string): Promise<void> {
    return this.#database.transact(() => leaveRuntime(id));
  }

  list(): Promise<RuntimeRow[]> {
    const { clock, isGone } = this.#context;
    return this.#database.read(runtimesAt(clock.now(), isGone));
  }
}
