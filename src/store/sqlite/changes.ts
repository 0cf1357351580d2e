import { setTimeout as pause } from 'node:timers/promises';
import type { Changes } from '../../backlog/changes.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Database } from './database.ts';

/** One cheap question to the database; nothing is read while nobody has written. */
const LOOK_EVERY_MS = 100;

/**
 * Notices that another process has written. What counts is what was written since the last `look`, so that nothing
 * slips in between looking for work and waiting for it.
 */
export class WriteWatch implements Changes {
  readonly #database: Database;
  readonly #clock: Clock;
  #seen: number;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#seen = database.version();
  }

  /** Called before the database is asked for work. */
  look(): void {
    this.#seen = this.#database.version();
  }

  /** It always waits a moment: what is due but cannot be had must not keep the processor busy. */
  async changed(until: number | undefined, stop: AbortSignal): Promise<void> {
    do {
      await pause(LOOK_EVERY_MS, undefined, { signal: stop }).catch(ignoreAbort);
      if (stop.aborted) return;
    } while (!this.#isOver(until));
    this.look();
  }

  #isOver(until: number | undefined): boolean {
    return this.#database.version() !== this.#seen || (until !== undefined && this.#clock.now() >= until);
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}
