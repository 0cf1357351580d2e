import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** After the exit, how long the output may stay silent before nobody waits for its end. */
const QUIET_MS = 250;
/** After the exit, how long a grandchild that keeps writing is listened to. */
const LISTEN_MS = 2000;

export interface ByteSink {
  push(chunk: Buffer): void;
}

/** Reads one output stream to its end, or to a bounded time after the child's exit, whichever is first. */
export class Intake {
  readonly #stream: Readable;
  readonly #ended: Promise<void>;
  #open = true;
  #chunks = 0;

  constructor(stream: Readable, sink: ByteSink) {
    this.#stream = stream;
    this.#ended = new Promise((resolve) => {
      const close = () => {
        this.#open = false;
        resolve();
      };
      stream.on('end', close).on('close', close).on('error', close);
    });
    stream.on('data', (chunk: Buffer) => {
      this.#chunks++;
      sink.push(chunk);
    });
    stream.resume();
  }

  /** To be called once the child has exited: what it wrote itself is in the stream by then. */
  async finish(): Promise<void> {
    const deadline = performance.now() + LISTEN_MS;
    while (this.#open) {
      const before = this.#chunks;
      await this.#endedWithin(QUIET_MS);
      // After a stall the timer comes due before the waiting data was read: let one turn of reading pass.
      await nextTurn();
      if (this.#chunks === before || performance.now() > deadline) break;
    }
    this.#stream.destroy();
  }

  async #endedWithin(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const pause = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.#ended, pause]);
    clearTimeout(timer);
  }
}
