import { StringDecoder } from 'node:string_decoder';
import type { Masker } from '../kernel/mask.ts';
import { HeadAndTail } from './head-and-tail.ts';
import type { LogFile } from './log-file.ts';

/** What a process wrote, masked. `text` is everything, unless `truncated`: then head, a note and tail. */
export interface Captured {
  readonly text: string;
  /** Size of everything, after masking. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** A secret was in it. */
  readonly masked: boolean;
}

export const NOTHING: Captured = { text: '', bytes: 0, truncated: false, masked: false };

export interface CaptureOptions {
  readonly masker: Masker;
  readonly inlineLimit: number;
  readonly log: LogFile | undefined;
  readonly onText: ((text: string) => void) | undefined;
}

/**
 * One output stream on its way in: decoded across chunk borders, masked, written to the log at once (so a
 * flood is slowed down instead of piling up in memory), and kept up to the limit.
 */
export class Capture {
  readonly #options: CaptureOptions;
  readonly #decoder = new StringDecoder('utf8');
  readonly #mask;
  readonly #kept;

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#mask = options.masker.stream();
    this.#kept = new HeadAndTail(options.inlineLimit);
  }

  push(chunk: Buffer): void {
    this.#add(this.#mask.push(this.#decoder.write(chunk)));
  }

  end(): Captured {
    this.#add(this.#mask.push(this.#decoder.end()) + this.#mask.end());
    const { head, tail, omitted } = this.#kept.read();
    const truncated = omitted > 0;
    const text = truncated
      ? `${head}\n[... ${omitted} bytes left out; ${this.#where()} ...]\n${tail}`
      : head + tail;
    return { text, bytes: this.#kept.total, truncated, masked: this.#mask.masked };
  }

  #where(): string {
    const { log } = this.#options;
    if (!log) return 'the full log was not kept';
    if (log.failure !== undefined) return `the full log ${log.path} is incomplete: ${log.failure}`;
    return `the full log is ${log.path}`;
  }

  #add(text: string): void {
    if (text === '') return;
    const bytes = Buffer.from(text);
    this.#options.log?.write(bytes);
    this.#kept.add(bytes);
    this.#options.onText?.(text);
  }
}
