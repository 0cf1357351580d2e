import type { Findings, FindingsOf, FoundAnswer, Kept, Known, Report } from '../../backlog/findings.ts';
import { keepFindings, knownOf, reportOf } from '../rules/findings.ts';
import type { StoreContext } from './context.ts';
import type { Database } from './database.ts';

/** The findings of research jobs in the embedded database. */
export class SqliteFindings implements Findings {
  readonly #database: Database;
  readonly #context: StoreContext;

  constructor(database: Database, context: StoreContext) {
    this.#database = database;
    this.#context = context;
  }

  known(job: string): Promise<Known> {
    return this.#database.read(knownOf(job));
  }

  keep(about: FindingsOf, answer: FoundAnswer): Promise<Kept> {
    return this.#database.transact(() => keepFindings(about, answer, this.#context.clock.now()));
  }

  report(job: string): Promise<Report | undefined> {
    return this.#database.read(reportOf(job));
  }
}
