import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../record.ts';
import type { JournalClaim } from '../store.ts';
import { EpochWriter } from './epoch-writer.ts';
import { KEY_FILE, type SessionFolder } from './session-folder.ts';

const LOOK_EVERY_MS = 200;

/** The right to write one epoch of a session folder. */
export class EpochClaim implements JournalClaim {
  readonly epoch: number;
  readonly records: readonly JournalRecord[];
  readonly #files: SessionFolder;
  readonly #writer: EpochWriter;
  #stopLooking: (() => void) | undefined;

  constructor(
    files: SessionFolder,
    epoch: number,
    journal: { records: readonly JournalRecord[]; bytes: number },
  ) {
    this.#files = files;
    this.epoch = epoch;
    this.records = journal.records;
    this.#writer = new EpochWriter(files, epoch, journal.bytes);
  }

  append(record: JournalRecord, options: { flush: boolean }): void {
    this.#writer.append(record, options);
  }

  bytes(): number {
    return this.#writer.bytes;
  }

  isLost(): boolean {
    return this.#writer.isLost();
  }

  /**
   * Looked for only to react early; what protects the session is the check at every append. A watch on the
   * folder would wake this process at each of its own writes, which costs a step more than the look does.
   */
  onLost(listener: () => void): void {
    const look = setInterval(() => {
      if (!this.isLost()) return;
      this.#stopLooking?.();
      listener();
    }, LOOK_EVERY_MS);
    look.unref();
    this.#stopLooking = () => clearInterval(look);
  }

  publish(projection: string): void {
    if (!this.isLost()) this.#files.replace(this.#files.projection, projection, { flush: false });
  }

  keepKey(key: string): void {
    if (!this.isLost()) this.#files.replace(join(this.#files.folder, KEY_FILE), key, { flush: false });
  }

  logFile(step: number, name: string): string {
    const safe = name.replaceAll(/[^0-9A-Za-z._-]/g, '_');
    for (let run = 1; ; run++) {
      const file = join(this.#files.logs, `${logPrefix(step, run)}-${safe}`);
      // A step that was interrupted, or waited, runs again: what its first run printed stays.
      if (!existsSync(file)) return file;
    }
  }

  close(): void {
    this.#stopLooking?.();
    this.#writer.close();
  }
}

/** `0003`, for the second run of that step `0003.02`: sorted by name they are in the order of their making. */
function logPrefix(step: number, run: number): string {
  const first = String(step).padStart(4, '0');
  return run === 1 ? first : `${first}.${String(run).padStart(2, '0')}`;
}
