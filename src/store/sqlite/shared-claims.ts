import type { Claim, ClaimRequest } from '../../backlog/scheduler.ts';
import { type Claimant, claimNext } from '../rules/claim.ts';
import type { Database } from './database.ts';

interface Asking {
  readonly answer: (claim: Claim | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * A runtime with several free places asks for all of them at once: what is asked for in the same words until the
 * database is free is answered by one transaction, with one look at the line.
 */
export class SharedClaims {
  readonly #database: Database;
  readonly #claimant: (request: ClaimRequest) => Claimant;
  readonly #asking = new Map<string, Asking[]>();

  constructor(database: Database, claimant: (request: ClaimRequest) => Claimant) {
    this.#database = database;
    this.#claimant = claimant;
  }

  claim(request: ClaimRequest): Promise<Claim | undefined> {
    return new Promise((answer, fail) => {
      const words = JSON.stringify(request);
      const together = this.#asking.get(words);
      if (together) {
        together.push({ answer, fail });
        return;
      }
      const asking = [{ answer, fail }];
      this.#asking.set(words, asking);
      void this.#serve(request, asking, () => this.#asking.delete(words));
    });
  }

  async #serve(request: ClaimRequest, asking: Asking[], close: () => void): Promise<void> {
    try {
      for (let more = true; more && asking.length > 0; ) {
        const taken = await this.#database.transact(() => {
          close();
          return claimNext(this.#claimant(request), asking.length);
        });
        for (const claim of taken.claims) asking.shift()?.answer(claim);
        more = taken.more;
      }
      for (const { answer } of asking) answer(undefined);
    } catch (error) {
      close();
      for (const { fail } of asking) fail(error);
    }
  }
}
