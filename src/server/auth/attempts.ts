const MOST = 10;
const MINUTE = 60_000;

/** Ten wrong tokens within a minute: nobody is heard for a minute, whatever they say. */
export class Attempts {
  readonly #now: () => number;
  #wrong: number[] = [];
  #closedUntil = Number.NEGATIVE_INFINITY;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isClosed(): boolean {
    return this.#now() < this.#closedUntil;
  }

  wrong(): void {
    const now = this.#now();
    this.#wrong = [...this.#wrong.filter((at) => now - at < MINUTE), now];
    if (this.#wrong.length < MOST) return;
    this.#closedUntil = now + MINUTE;
    this.#wrong = [];
  }
}
