import nodeFs from 'node:fs';
import { join } from 'node:path';
import { action } from '../../../kernel/action.ts';
import { ConflictError, errorCode, errorMessage, StorageError, UsageError } from '../../../kernel/errors.ts';
import { openPlain, readPlain } from '../../../process/plain-file.ts';

/** The few operations sessions are stored with; a test can put a failing disk in their place. */
export type Disk = Pick<
  typeof nodeFs,
  | 'openSync'
  | 'fstatSync'
  | 'writeSync'
  | 'fsyncSync'
  | 'fdatasyncSync'
  | 'ftruncateSync'
  | 'closeSync'
  | 'linkSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'mkdirSync'
  | 'existsSync'
  | 'readFileSync'
  | 'readSync'
  | 'statSync'
  | 'readdirSync'
  | 'rmSync'
>;

const ID = /^[0-9A-Za-z][0-9A-Za-z_-]{0,63}$/;
const JOURNAL = /^journal\.(\d+)\.jsonl$/;

/** What opens the socket of the owner. */
export const KEY_FILE = 'control.key';

/** Names and reads the files of one session folder; knows nothing of what is in them. */
export class SessionFolder {
  readonly folder: string;

  constructor(
    root: string,
    readonly id: string,
    readonly disk: Disk = nodeFs,
  ) {
    if (!ID.test(id)) {
      throw new UsageError(`"${id}" is not a session id.`, { next: action('session.list', 'List them') });
    }
    this.folder = join(root, id);
  }

  journal(epoch: number): string {
    return join(this.folder, `journal.${epoch}.jsonl`);
  }

  get manifest(): string {
    return join(this.folder, 'manifest.json');
  }

  /** One that was taken up later. */
  corrected(digest: string): string {
    return join(this.folder, `manifest.${digest.slice(0, 16)}.json`);
  }

  get projection(): string {
    return join(this.folder, 'session.json');
  }

  get logs(): string {
    return join(this.folder, 'logs');
  }

  epochs(): number[] {
    return this.#names()
      .map((name) => Number(JOURNAL.exec(name)?.[1]))
      .filter((epoch) => Number.isInteger(epoch))
      .sort((a, b) => a - b);
  }

  read(file: string): Buffer {
    try {
      return readPlain(file, this.disk);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      throw new StorageError(`${file} cannot be read: ${errorMessage(error)}`, { cause: error });
    }
  }

  exists(): boolean {
    return this.disk.existsSync(this.folder);
  }

  /** At most so many bytes from an offset on, into `room` where they fit; none where there is no such file. */
  readFrom(file: string, offset: number, most: number, room?: Buffer): Buffer {
    const size = Math.min(most, (this.sizeOf(file) ?? 0) - offset);
    if (size <= 0) return Buffer.alloc(0);
    return this.guard(() => {
      const fd = openPlain(file, 'r', this.disk);
      try {
        const bytes = room && room.length >= size ? room : Buffer.alloc(size);
        return bytes.subarray(0, this.disk.readSync(fd, bytes, 0, size, offset));
      } finally {
        this.disk.closeSync(fd);
      }
    });
  }

  /** Undefined when there is no such file. */
  sizeOf(file: string): number | undefined {
    return this.guard(() => this.disk.statSync(file, { throwIfNoEntry: false })?.size);
  }

  /** Replaces a file so that a reader sees the old or the new content, never a mixture. */
  replace(file: string, content: string, options: { flush: boolean }): void {
    const temporary = `${file}.${process.pid}.tmp`;
    this.guard(() => {
      this.writeNew(temporary, content, { ...options, exclusive: false });
      this.disk.renameSync(temporary, file);
    });
  }

  writeNew(file: string, content: string, options: { flush: boolean; exclusive: boolean }): void {
    const fd = openPlain(file, options.exclusive ? 'wx' : 'w', this.disk);
    try {
      const bytes = Buffer.from(content);
      let written = 0;
      while (written < bytes.length) {
        written += this.disk.writeSync(fd, bytes, written, bytes.length - written, null);
      }
      if (options.flush) this.disk.fsyncSync(fd);
    } finally {
      this.disk.closeSync(fd);
    }
  }

  /** Makes created and renamed names in a folder survive a power cut. */
  flushFolder(folder: string): void {
    const fd = this.disk.openSync(folder, 'r');
    try {
      this.disk.fsyncSync(fd);
    } finally {
      this.disk.closeSync(fd);
    }
  }

  /** Turns the disk's refusal into words a person can act on. */
  guard<T>(act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw storageError(this.folder, error);
    }
  }

  #names(): string[] {
    try {
      return this.disk.readdirSync(this.folder);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw storageError(this.folder, error);
    }
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space, then resume. Every finished step is kept.',
  EDQUOT: 'Your disk quota is used up: free some space, then resume. Every finished step is kept.',
  EACCES: 'The folder is not writable for you: correct its permissions, then resume.',
  EPERM: 'The folder is not writable for you: correct its permissions, then resume.',
  EEXIST: 'Something else stands where this belongs: move it away, then try again.',
  ENOTDIR: 'A file stands where a folder belongs: move it away, then try again.',
  EROFS: 'The file system is mounted read-only: remount it, then resume.',
};

/** Without them nothing that follows could be kept, and nobody could go on. */
export function recordsDeleted(where: string): ConflictError {
  return new ConflictError(
    `The records of this session, ${where}, were deleted while one of its steps ran: it cannot go on, and what was only there is lost.`,
    {
      next: 'Look at what the agent or the check ran, then begin again with a sandbox, which keeps them from it.',
    },
  );
}

export function storageError(where: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  // It was there when the session began: nobody but a person or one of its steps can have done it.
  if (code === 'ENOENT') return recordsDeleted(where);
  const next = ADVICE[code] ?? 'Look at the disk, then resume. Every finished step is kept.';
  return new StorageError(`The session could not be written to ${where}: ${errorMessage(error)}`, {
    next,
    cause: error,
  });
}
