import { closeSync, lstatSync, mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorMessage } from '../kernel/errors.ts';
import { kindOf, notPlain, openPlain } from './plain-file.ts';

/** Of UTF-8, for one unit of a JavaScript string. */
const MOST_BYTES_PER_UNIT = 3;
/** Shared by all logs: writing is synchronous. */
const scratch = Buffer.allocUnsafeSlow(256 * 1024);

/**
 * The full log of a process. Losing it (full disk, read-only folder) must not lose the work of the process:
 * the first failure is remembered and ends the logging.
 */
export class LogFile {
  readonly path: string;
  #fd: number | undefined;
  #failure: string | undefined;
  #room: number;

  /** What is written beyond `mostBytes` is not kept, and the log says so. */
  constructor(path: string, mostBytes = Number.POSITIVE_INFINITY) {
    this.path = path;
    this.#room = mostBytes;
    this.#guard(() => {
      const stats = lstatSync(dirname(path), { throwIfNoEntry: false });
      // One level only: the recursive form never returns on file systems that refuse with ENOENT.
      if (stats === undefined) mkdirSync(dirname(path), { mode: 0o700 });
      else if (!stats.isDirectory()) throw notPlain(dirname(path), kindOf(stats));
      this.#fd = openPlain(path, 'w');
    });
  }

  get failure(): string | undefined {
    return this.#failure;
  }

  write(bytes: Buffer): void {
    if (this.#room <= 0) return;
    this.#append(bytes.subarray(0, this.#room));
    this.#room -= bytes.length;
    if (this.#room <= 0)
      this.#append(Buffer.from('\n[the log is full: what came after this was not kept]\n'));
  }

  /** The same for text, without making bytes of it that somebody would have to collect. */
  writeText(text: string): void {
    const fits = text.length * MOST_BYTES_PER_UNIT <= scratch.length;
    this.write(fits ? scratch.subarray(0, scratch.write(text)) : Buffer.from(text));
  }

  close(): void {
    const fd = this.#fd;
    this.#fd = undefined;
    if (fd !== undefined) this.#guard(() => closeSync(fd));
  }

  #append(bytes: Buffer): void {
    const fd = this.#fd;
    if (fd === undefined || this.#failure !== undefined) return;
    this.#guard(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    });
  }

  #guard(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#failure ??= errorMessage(error);
    }
  }
}
