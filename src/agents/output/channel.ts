import { StringDecoder } from 'node:string_decoder';
import type { Masker, MaskStream } from '../../kernel/mask.ts';
import { Cleaner } from './clean.ts';

export type OutputListener = (raw: string, clean: string) => void;

/**
 * One output stream of an agent on its way in: decoded across chunk borders, masked, cleaned. The clean text is masked
 * again by itself, for a secret that colours or cursor movements had broken up. Either text may lag behind the other
 * by what could be the beginning of a secret.
 */
export class OutputChannel {
  readonly #decoder = new StringDecoder('utf8');
  readonly #cleaner = new Cleaner();
  readonly #rawMask: MaskStream;
  readonly #cleanMask: MaskStream;
  readonly #listener: OutputListener;

  constructor(masker: Masker, listener: OutputListener) {
    this.#rawMask = masker.stream();
    this.#cleanMask = masker.stream();
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    const text = this.#decoder.write(chunk);
    this.#give(this.#rawMask.push(text), this.#cleanMask.push(this.#cleaner.push(text)));
  }

  end(): void {
    const text = this.#decoder.end();
    const raw = this.#rawMask.push(text) + this.#rawMask.end();
    this.#give(raw, this.#cleanMask.push(this.#cleaner.push(text)) + this.#cleanMask.end());
  }

  #give(raw: string, clean: string): void {
    if (raw !== '' || clean !== '') this.#listener(raw, clean);
  }
}
