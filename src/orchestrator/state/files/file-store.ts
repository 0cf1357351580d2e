import { randomBytes } from 'node:crypto';
import nodeFs from 'node:fs';
import { join } from 'node:path';
import { action } from '../../../kernel/action.ts';
import { CorruptSessionError, errorCode, SessionBusyError, StorageError } from '../../../kernel/errors.ts';
import { deepFreeze } from '../../../kernel/json.ts';
import type { ResolvedManifest } from '../../../manifest/resolved.ts';
import { openPlain, readPlain } from '../../../process/plain-file.ts';
import { correctedDigest } from '../corrected-digest.ts';
import { isProjection, type Projection } from '../projection.ts';
import type { JournalRecord } from '../record.ts';
import type { JournalClaim, NewClaim, PublishedProjection, SessionStore, StoredSession } from '../store.ts';
import { EpochClaim } from './epoch-claim.ts';
import { encodeLine } from './line.ts';
import { FORMAT, journalUpTo, readJournal } from './read-journal.ts';
import { type Disk, SessionFolder } from './session-folder.ts';

/** Sessions as folders below one root; the journal decides, the rest is a projection of it. */
export class FileStore implements SessionStore {
  readonly #root: string;
  readonly #disk: Disk;

  constructor(root: string, disk: Disk = nodeFs) {
    this.#root = root;
    this.#disk = disk;
  }

  create(id: string, manifest: ResolvedManifest): void {
    const files = this.#files(id);
    files.guard(() => {
      this.#disk.mkdirSync(this.#root, { recursive: true, mode: 0o700 });
      this.#disk.mkdirSync(files.folder, { mode: 0o700 });
      try {
        this.#disk.mkdirSync(files.logs, { mode: 0o700 });
        files.writeNew(files.manifest, JSON.stringify(manifest), { flush: true, exclusive: true });
        files.flushFolder(this.#root);
      } catch (error) {
        // Nothing has begun: a folder without a session would only be in the way.
        this.#disk.rmSync(files.folder, { recursive: true, force: true });
        throw error;
      }
    });
  }

  read(id: string): StoredSession | undefined {
    const files = this.#files(id);
    const journal = readJournal(files);
    if (!journal || !journal.records.some((record) => record.t === 'created')) return undefined;
    return {
      epoch: journal.epoch,
      owner: journal.claimed.owner,
      released: journal.end.epoch === journal.epoch && journal.records.at(-1)?.t === 'released',
      manifest: this.manifest(id, correctedDigest(journal.records)),
      records: journal.records,
      bytes: journal.end.epoch === journal.epoch ? journal.end.bytes : 0,
    };
  }

  manifest(id: string, digest?: string): ResolvedManifest {
    const files = this.#files(id);
    return readManifest(files, digest === undefined ? files.manifest : files.corrected(digest));
  }

  keepManifest(id: string, digest: string, manifest: ResolvedManifest): void {
    const files = this.#files(id);
    files.replace(files.corrected(digest), JSON.stringify(manifest), { flush: true });
    files.guard(() => files.flushFolder(files.folder));
  }

  claim(id: string, after: number, { upToStep, ...claim }: NewClaim): JournalClaim {
    const files = this.#files(id);
    const epoch = after + 1;
    const line = encodeLine({ t: 'claimed', format: FORMAT, epoch, ...claim });
    if (upToStep !== undefined) journalUpTo(files, upToStep);
    this.#publishJournal(files, epoch, line);
    if (epoch === 1) return new EpochClaim(files, epoch, { records: [], bytes: Buffer.byteLength(line) });
    const { records, based } = this.#base(files, epoch, upToStep);
    return new EpochClaim(files, epoch, { records, bytes: Buffer.byteLength(line + based) });
  }

  projection(id: string): PublishedProjection | undefined {
    const files = this.#files(id);
    const said = readProjection(files);
    if (!said) return undefined;
    const { epoch, bytes } = said.journal;
    const newest = files.sizeOf(files.journal(epoch + 1)) === undefined;
    return newest ? { said, current: files.sizeOf(files.journal(epoch)) === bytes } : undefined;
  }

  republish(id: string, projection: Projection): void {
    const files = this.#files(id);
    if (files.sizeOf(files.journal(projection.journal.epoch + 1)) !== undefined) return;
    try {
      files.replace(files.projection, JSON.stringify(projection, null, 2), { flush: false });
    } catch (error) {
      // It spares the next reader work, and nothing else: a project that can only be read is listed as well.
      if (!(error instanceof StorageError)) throw error;
    }
  }

  ids(): readonly string[] {
    try {
      const entries = this.#disk.readdirSync(this.#root, { withFileTypes: true });
      return entries
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort();
    } catch (error) {
      // Whoever makes a session there says that a file is in its place.
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
      throw error;
    }
  }

  remove(id: string): void {
    const files = this.#files(id);
    files.guard(() => this.#disk.rmSync(files.folder, { recursive: true, force: true }));
  }

  /** The journal appears with its owner in it or not at all: whoever sees the file can tell whether it is dead. */
  #publishJournal(files: SessionFolder, epoch: number, line: string): void {
    const temporary = join(files.folder, `.claim.${process.pid}.${randomBytes(4).toString('hex')}`);
    files.guard(() => {
      files.writeNew(temporary, line, { flush: true, exclusive: true });
      try {
        this.#disk.linkSync(temporary, files.journal(epoch));
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
        throw new SessionBusyError(`Another process has just taken session ${files.id}.`, {
          next: action('session.show', 'Look at it', { session: files.id }),
        });
      } finally {
        this.#disk.unlinkSync(temporary);
      }
      files.flushFolder(files.folder);
    });
  }

  /** What counts of the earlier epochs is decided after this epoch exists, so nothing flushed before is missed. */
  #base(
    files: SessionFolder,
    epoch: number,
    upToStep: number | undefined,
  ): { records: readonly JournalRecord[]; based: string } {
    const journal = upToStep === undefined ? readJournal(files) : journalUpTo(files, upToStep);
    if (!journal) throw new CorruptSessionError(`${files.folder} has no journal that can be read.`);
    const based = encodeLine({ t: 'based', ...journal.end });
    files.guard(() => {
      const fd = openPlain(files.journal(epoch), 'a', this.#disk);
      try {
        this.#disk.writeSync(fd, based);
        this.#disk.fsyncSync(fd);
      } finally {
        this.#disk.closeSync(fd);
      }
    });
    return { records: journal.records, based };
  }

  #files(id: string): SessionFolder {
    return new SessionFolder(this.#root, id, this.#disk);
  }
}

/** Undefined as well where it was written by another version: the journal is read instead. */
function readProjection(files: SessionFolder): Projection | undefined {
  try {
    const said: unknown = JSON.parse(readPlain(files.projection, files.disk).toString('utf8'));
    return isProjection(said) ? said : undefined;
  } catch (error) {
    const isUnusable = error instanceof SyntaxError || error instanceof StorageError;
    if (isUnusable || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}

function readManifest(files: SessionFolder, file: string): ResolvedManifest {
  try {
    return deepFreeze(JSON.parse(files.read(file).toString('utf8')) as ResolvedManifest);
  } catch (error) {
    throw new CorruptSessionError(`${file} cannot be read.`, {
      next: 'Restore the file from a backup; a session runs only on the manifest it was started with.',
      cause: error,
    });
  }
}
