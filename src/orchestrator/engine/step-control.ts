import type { StopCause } from './outcome.ts';

/** setTimeout overflows beyond this and would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The one handle by which a running step is ended from outside; the first cause is the one that counts. */
export class StepControl {
  readonly #abort = new AbortController();
  #cause: StopCause | undefined;
  #timer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #beat: NodeJS.Timeout | undefined;
  #ended = false;
  #limit: { cause: StopCause; leftMs: number; since: number } | undefined;
  /** How many wait for a person, since when, and how long it took before. */
  #waits = 0;
  #waitingSince = 0;
  #waitedMs = 0;

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get cause(): StopCause | undefined {
    return this.#cause;
  }

  /** After the end nothing a late worker says is heard. */
  get ended(): boolean {
    return this.#ended;
  }

  stop(cause: StopCause): void {
    if (this.#cause || this.#ended) return;
    this.#cause = cause;
    this.#abort.abort(new Error(`step ended: ${cause.kind}`));
  }

  /** Calls back now and then while the step runs. */
  every(ms: number, action: () => void): void {
    this.#beat = setInterval(action, ms);
    this.#beat.unref();
  }

  stopAfter(ms: number, cause: StopCause): void {
    this.#limit = { cause, leftMs: ms, since: performance.now() };
    this.#timer = setTimeout(() => this.stop(cause), Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
  }

  /** Time that passed while a person was waited for. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#waits > 0 ? performance.now() - this.#waitingSince : 0);
  }

  /** Stops the clock of the step; the returned function, called once or more, lets it run on. */
  wait(): () => void {
    if (this.#waits++ === 0) {
      this.#waitingSince = performance.now();
      clearTimeout(this.#timer);
      if (this.#limit) this.#limit.leftMs -= performance.now() - this.#limit.since;
    }
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#waits > 0) return;
      this.#waitedMs += performance.now() - this.#waitingSince;
      if (this.#limit && !this.#ended) this.stopAfter(this.#limit.leftMs, this.#limit.cause);
    };
  }

  /** Resolves when the step was stopped and its worker has not reacted for a while. */
  givenUp(graceMs: number): Promise<undefined> {
    return new Promise((resolve) => {
      const wait = (): void => {
        this.#grace = setTimeout(() => resolve(undefined), graceMs);
      };
      this.signal.addEventListener('abort', wait, { once: true });
    });
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    clearInterval(this.#beat);
  }
}
