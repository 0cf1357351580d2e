const KEPT_MS = 600_000;
const MOST = 1000;

/** A call that is repeated with the same key gets the first answer, and is not carried out again. */
export class Repeats {
  readonly #answers = new Map<string, { readonly answer: Promise<object>; readonly until: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  once(key: string, act: () => Promise<object>): Promise<object> {
    this.#forget();
    const known = this.#answers.get(key);
    if (known) return known.answer;
    const answer = act();
    this.#answers.set(key, { answer, until: this.#now() + KEPT_MS });
    // What was refused may be tried again.
    answer.catch(() => this.#answers.delete(key));
    return answer;
  }

  #forget(): void {
    const now = this.#now();
    for (const [key, { until }] of this.#answers) {
      if (until > now && this.#answers.size < MOST) return;
      this.#answers.delete(key);
    }
  }
}
