/** Longer waits overflow a timer, which then fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface Limits {
  readonly totalMs?: number | undefined;
  readonly silenceMs?: number | undefined;
}

export type ReachedLimit = { readonly limit: 'total' | 'silence'; readonly afterMs: number };

/**
 * Counts the active time of a run and the silence within it. Neither passes while it is suspended; a silence starts
 * from zero afterwards. When there is output, it only notes the time: a flood sets no timers.
 */
export class TimeLimits {
  readonly #limits: Limits;
  readonly #onReached: (reached: ReachedLimit) => void;
  #timer: NodeJS.Timeout | undefined;
  #activeMs = 0;
  /** Undefined while suspended. */
  #activeSince: number | undefined;
  #heardAt = 0;
  /** While a tool runs nothing needs to be said. */
  #busy = false;

  constructor(limits: Limits, onReached: (reached: ReachedLimit) => void) {
    this.#limits = limits;
    this.#onReached = onReached;
  }

  heard(): void {
    this.#heardAt = performance.now();
  }

  busy(busy: boolean): void {
    if (busy === this.#busy) return;
    this.#busy = busy;
    this.#heardAt = performance.now();
    if (!busy && this.#activeSince !== undefined) {
      clearTimeout(this.#timer);
      this.#arm();
    }
  }

  /** Also begins the counting. */
  resume(): void {
    if (this.#activeSince !== undefined) return;
    this.#activeSince = this.#heardAt = performance.now();
    this.#arm();
  }

  suspend(): void {
    if (this.#activeSince === undefined) return;
    this.#activeMs += performance.now() - this.#activeSince;
    this.#activeSince = undefined;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    const now = performance.now();
    const active = this.#activeMs + now - (this.#activeSince ?? now);
    const { totalMs = Infinity, silenceMs = Infinity } = this.#limits;
    const [total, silence] = [totalMs - active, this.#busy ? Infinity : silenceMs - (now - this.#heardAt)];
    if (total <= 0) this.#onReached({ limit: 'total', afterMs: totalMs });
    else if (silence <= 0) this.#onReached({ limit: 'silence', afterMs: silenceMs });
    else if (total < Infinity || silence < Infinity) {
      const wait = Math.min(Math.ceil(Math.min(total, silence)), LONGEST_TIMER_MS);
      this.#timer = setTimeout(() => this.#arm(), wait);
    }
  }
}
