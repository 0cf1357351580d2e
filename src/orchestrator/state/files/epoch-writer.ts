import { action } from '../../../kernel/action.ts';
import { OwnershipLostError } from '../../../kernel/errors.ts';
import { openPlain } from '../../../process/plain-file.ts';
import type { JournalRecord } from '../record.ts';
import { encodeLine } from './line.ts';
import { type SessionFolder, storageError } from './session-folder.ts';

/**
 * Appends to one epoch's journal. Invariants:
 * 1. A flushed record is whole and on the disk before `append` returns.
 * 2. After a write that failed in the middle, the half line is cut off or nothing is ever appended again.
 * 3. Once a later epoch exists, `append` throws; what was written in the same instant is outside the bytes
 *    that the later epoch counts, or was counted by it.
 */
export class EpochWriter {
  readonly #files: SessionFolder;
  readonly #file: string;
  readonly #successor: string;
  #fd: number;
  #bytes: number;
  #broken: unknown;

  constructor(files: SessionFolder, epoch: number, bytes: number) {
    this.#files = files;
    this.#file = files.journal(epoch);
    this.#successor = files.journal(epoch + 1);
    this.#fd = files.guard(() => openPlain(this.#file, 'a', files.disk));
    this.#bytes = bytes;
  }

  append(record: JournalRecord, options: { flush: boolean }): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.isLost()) throw this.lost();
    this.#write(Buffer.from(encodeLine(record)));
    if (!options.flush) return;
    this.#flush();
    if (this.isLost()) throw this.lost();
  }

  get bytes(): number {
    return this.#bytes;
  }

  isLost(): boolean {
    return this.#files.disk.existsSync(this.#successor);
  }

  lost(): OwnershipLostError {
    return new OwnershipLostError(`Session ${this.#files.id} was taken over by another process.`, {
      next: action('session.show', 'Nothing this process does counts now; see who owns it', {
        session: this.#files.id,
      }),
    });
  }

  close(): void {
    if (this.#fd < 0) return;
    this.#files.disk.closeSync(this.#fd);
    this.#fd = -1;
  }

  #write(line: Buffer): void {
    let written = 0;
    try {
      while (written < line.length) {
        written += this.#files.disk.writeSync(this.#fd, line, written, line.length - written, null);
      }
      this.#bytes += line.length;
    } catch (error) {
      this.#broken = storageError(this.#file, error);
      this.#cutHalfLine();
      throw this.#broken;
    }
  }

  #flush(): void {
    try {
      this.#files.disk.fdatasyncSync(this.#fd);
    } catch (error) {
      this.#broken = storageError(this.#file, error);
      throw this.#broken;
    }
  }

  #cutHalfLine(): void {
    try {
      this.#files.disk.ftruncateSync(this.#fd, this.#bytes);
    } catch {
      // The half line stays; a reader recognises and drops it, and nothing is appended behind it (invariant 2).
    }
  }
}
