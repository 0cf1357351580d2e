/** What a person types arrives key by key; it is recorded line by line. */
export class TypedLines {
  readonly #record: (line: string) => void;
  #line = '';

  constructor(record: (line: string) => void) {
    this.#record = record;
  }

  add(text: string): void {
    const lines = (this.#line + text).split(/\r\n|\r|\n/);
    this.#line = lines.pop() ?? '';
    for (const line of lines) this.#record(line);
  }

  /** What was typed without a line end counts too: some questions are answered by one key. */
  end(): void {
    if (this.#line !== '') this.#record(this.#line);
    this.#line = '';
  }
}
