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
    // A flood drops old pieces whole, a trickle of single characters is joined now and then: neither is copied each time.
    if (this.#pieces.length > MOST_PIECES) this.#join();
    else this.#dropOld();
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

  #dropOld(): void {
    for (;;) {
      const oldest = this.#pieces[0];
      if (oldest === undefined || this.#length - oldest.length < this.#limit) return;
      this.#pieces.shift();
      this.#length -= oldest.length;
      this.#cut = true;
    }
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
