import type { Runtimes } from '../../backlog/runtimes.ts';
import type { RuntimeState } from '../../backlog/words.ts';
import { StorageError } from '../../kernel/errors.ts';
import type { Role } from '../../kernel/runtime-words.ts';

const LONGEST_BEAT_MS = 10_000;
const BEATS = 6;

/** Shows in the store that a runtime lives, and what it does. */
export class Presence {
  readonly #runtimes: Runtimes;
  readonly #id: string;
  readonly #timer: NodeJS.Timeout;
  #state: RuntimeState = 'idle';
  #telling: Promise<void> = Promise.resolve();

  private constructor(runtimes: Runtimes, id: string, beatMs: number) {
    this.#runtimes = runtimes;
    this.#id = id;
    this.#timer = setInterval(() => this.#tell(), beatMs);
    this.#timer.unref();
  }

  static async enter(
    runtimes: Runtimes,
    { name, role, leaseMs }: { readonly name: string; readonly role: Role; readonly leaseMs: number },
  ): Promise<Presence> {
    const beatMs = Math.min(LONGEST_BEAT_MS, leaseMs / BEATS);
    return new Presence(runtimes, await runtimes.enter({ name, role, beatMs }), beatMs);
  }

  /** A change is shown at once, not with the next beat. */
  now(state: RuntimeState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#tell();
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#telling;
    await this.#runtimes.leave(this.#id).catch(unreachable);
  }

  #tell(): void {
    this.#telling = this.#telling.then(() => this.#runtimes.beat(this.#id, this.#state).catch(unreachable));
  }
}

/** It is shown as dead until the store can be reached again; what runs is not harmed by that. */
function unreachable(error: unknown): void {
  if (!(error instanceof StorageError)) throw error;
}
