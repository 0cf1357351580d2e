/** A JSON line of an agent carries whole files; beyond this something else is going on. */
const LONGEST_LINE = 16 * 1024 * 1024;

/** Joins pieces of text into whole lines. Of a line that is too long the beginning is given. */
export class LineBuffer {
  readonly #longest: number;
  #pending = '';

  constructor(longest = LONGEST_LINE) {
    this.#longest = longest;
  }

  /** The lines that are complete now, without their line ends. */
  push(text: string): string[] {
    let from = 0;
    const lines: string[] = [];
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#append(text, from, end);
      lines.push(this.#take());
      from = end + 1;
    }
    this.#append(text, from, text.length);
    return lines;
  }

  /** The last line, where it had no line end. */
  end(): string[] {
    return this.#pending === '' ? [] : [this.#take()];
  }

  #append(text: string, from: number, to: number): void {
    const room = this.#longest - this.#pending.length;
    if (to > from && room > 0) this.#pending += text.slice(from, Math.min(to, from + room));
  }

  #take(): string {
    const line = this.#pending;
    this.#pending = '';
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}
