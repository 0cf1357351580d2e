import { stripVTControlCharacters } from 'node:util';

const MOST_LINES = 20;
const LONGEST_LINE = 500;

/** The bounded end of what a CLI printed in plain words. */
export class LastWords {
  #lines: string[] = [];

  add(line: string): void {
    const words = stripVTControlCharacters(line).trim();
    if (words === '' || words.startsWith('at ')) return;
    this.#lines.push(words.length > LONGEST_LINE ? `${words.slice(0, LONGEST_LINE)}...` : words);
    if (this.#lines.length > MOST_LINES) this.#lines = this.#lines.slice(-MOST_LINES);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }
}
