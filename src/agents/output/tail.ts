/** Keeps the end of a text of any length. */
export class Tail {
  readonly #limit: number;
  #pieces: string[] = [];
  #length = 0;
  #cut = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the beginning is missing. */
  get cut(): boolean {
    return this.#cut || this.#length > this.#limit;
  }

  get empty(): boolean {
    return this.#length === 0;
  }

  push(text: string): void {
    if (text === '') return;
    this.#pieces.push(text);
    this.#length += text.length;
    // Joined only now and then, so that neither a flood nor a trickle of single characters is copied each time.
    if (this.#length > 2 * this.#limit || this.#pieces.length > MOST_PIECES) this.#join();
  }

  read(): string {
    this.#join();
    return this.#pieces[0] ?? '';
  }

  /** The same from the first whole line on; one line that fills everything is given as it is. */
  readLines(): string {
    const text = this.read();
    const start = this.cut ? text.indexOf('\n') + 1 : 0;
    return text.slice(start);
  }

  clear(): void {
    this.#pieces = [];
    this.#length = 0;
    this.#cut = false;
  }

  #join(): void {
    const all = this.#pieces.join('');
    this.#cut ||= all.length > this.#limit;
    const kept = all.slice(-this.#limit);
    this.#pieces = [kept];
    this.#length = kept.length;
  }
}

const MOST_PIECES = 1024;
