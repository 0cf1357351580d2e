import { writeSync } from 'node:fs';
import { errorCode } from '../../../kernel/errors.ts';

/** Nothing came for this long although it was being read: the mark will not come either. */
const GIVE_UP_MS = 2000;
const RETRY_MS = 10;

export interface LastOutputOptions {
  /** The program's end of the terminal, which we hold open. */
  readonly slave: number;
  /** Nothing that a program writes by chance. */
  readonly mark: string;
  /** Whether somebody reads at the moment. */
  readonly isRead: () => boolean;
  /** With what was held back as a possible beginning of the mark. */
  readonly onEnd: (rest: Buffer) => void;
}

/**
 * Finds the end of what a program wrote to its terminal. The system keeps the order, so after its exit we write a mark
 * behind its words; when the mark comes out, nothing of the program is left.
 */
export class LastOutput {
  readonly #options: LastOutputOptions;
  readonly #mark: Buffer;
  #unwritten: Buffer;
  #held: Buffer = Buffer.alloc(0);
  #timer: NodeJS.Timeout | undefined;
  #heardAt = performance.now();
  #ended = false;

  constructor(options: LastOutputOptions) {
    this.#options = options;
    this.#mark = Buffer.from(options.mark);
    this.#unwritten = this.#mark;
    this.#writeMark();
  }

  /** The part of a chunk that is the program's for sure. */
  push(chunk: Buffer): Buffer {
    this.#heardAt = performance.now();
    const bytes = Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#mark);
    const end = at >= 0 ? at : Math.max(0, bytes.length - this.#mark.length + 1);
    this.#held = at >= 0 ? Buffer.alloc(0) : bytes.subarray(end);
    if (at >= 0) this.end();
    return bytes.subarray(0, end);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    // Behind the part of the chunk that is being given back.
    queueMicrotask(() => this.#options.onEnd(this.#held));
  }

  /** A full terminal takes no more until it is read; one that was stopped with Ctrl-S takes nothing at all. */
  #writeMark(): void {
    try {
      if (this.#unwritten.length > 0) {
        this.#unwritten = this.#unwritten.subarray(writeSync(this.#options.slave, this.#unwritten));
      }
    } catch (error) {
      // Some systems take the terminal away from everybody when its first program ends.
      if (errorCode(error) !== 'EAGAIN') this.#unwritten = Buffer.alloc(0);
    }
    if (!this.#options.isRead()) this.#heardAt = performance.now();
    if (performance.now() - this.#heardAt > GIVE_UP_MS) setImmediate(() => this.#giveUp());
    else this.#timer = setTimeout(() => this.#writeMark(), RETRY_MS);
  }

  /** After a stall the timer comes due before what waits was read, hence a turn later. */
  #giveUp(): void {
    if (performance.now() - this.#heardAt > GIVE_UP_MS) this.end();
    else this.#writeMark();
  }
}
