import { watch } from 'node:fs';
import { join } from 'node:path';
import type { JournalRecord } from '../record.ts';
import type { Claim } from '../store.ts';
import { EpochWriter } from './epoch-writer.ts';
import type { SessionFiles } from './session-files.ts';

/** The right to write one epoch of a session folder. */
export class EpochClaim implements Claim {
  readonly epoch: number;
  readonly records: readonly JournalRecord[];
  readonly #files: SessionFiles;
  readonly #writer: EpochWriter;
  #stopWatching: (() => void) | undefined;

  constructor(
    files: SessionFiles,
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

  isLost(): boolean {
    return this.#writer.isLost();
  }

  /** The folder is watched only to react early; what protects the session is the check at every append. */
  onLost(listener: () => void): void {
    try {
      const watcher = watch(this.#files.folder, { persistent: false }, () => {
        if (!this.isLost()) return;
        this.#stopWatching?.();
        listener();
      });
      watcher.on('error', () => this.#stopWatching?.());
      this.#stopWatching = () => watcher.close();
    } catch {
      // The system has no watch left to give: the loss is noticed at the next append instead.
    }
  }

  publish(projection: string): void {
    if (!this.isLost()) this.#files.replace(this.#files.projection, projection, { flush: false });
  }

  logFile(name: string): string {
    return join(this.#files.logs, name.replaceAll(/[^0-9A-Za-z._-]/g, '_'));
  }

  close(): void {
    this.#stopWatching?.();
    this.#writer.close();
  }
}
