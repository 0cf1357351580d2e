import { Tail } from '../output/tail.ts';
import type { View } from './watch.ts';

/** How much of the end is looked at. */
const LOOKED_AT = 4096;

/** The end of what a program printed that does not paint. */
export class TextView implements View {
  readonly #tail = new Tail(LOOKED_AT);

  push(_raw: string, clean: string): void {
    this.#tail.push(clean);
  }

  text(): string {
    const lines = this.#tail.readLines().split('\n');
    return lines
      .map((line) => line.trimEnd())
      .join('\n')
      .trimEnd();
  }

  blank(): void {
    this.#tail.clear();
  }
}
