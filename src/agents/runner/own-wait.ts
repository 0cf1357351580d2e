import type { OwnWait } from '../adapter.ts';
import type { AgentError } from '../event.ts';

/** Longer than the pauses with which CLIs get over a busy moment, shorter than what a spent quota takes. */
const LONGEST_OWN_WAIT_MS = 120_000;

/**
 * Gives a CLI up that would sleep for hours until its quota is there again: whoever runs it parks instead, or goes on
 * with the next agent. One that does not say how long it waits is given the same time to come back.
 */
export class OwnWaitWatch {
  readonly #longestMs: number;
  readonly #giveUp: (error: AgentError) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(longestMs: number | undefined, giveUp: (error: AgentError) => void) {
    this.#longestMs = longestMs ?? LONGEST_OWN_WAIT_MS;
    this.#giveUp = giveUp;
  }

  /** After everything that was heard. */
  look(wait: OwnWait | undefined): void {
    if (!wait) {
      this.close();
      return;
    }
    const { error, ms } = wait;
    if (ms !== undefined && ms <= this.#longestMs) return;
    if (ms !== undefined) this.#giveUp(error);
    else this.#timer ??= setTimeout(() => this.#giveUp(error), this.#longestMs);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
