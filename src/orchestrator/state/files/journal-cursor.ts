import { basename, dirname } from 'node:path';
import type { BasedRecord, JournalRecord } from '../record.ts';
import type { JournalPosition } from '../store.ts';
import { decodeLine, isWhole, LINE_END } from './line.ts';
import { corrupt, refuseNewerFormat } from './read-journal.ts';
import { SessionFolder } from './session-folder.ts';

/** What a follower gets. `at` is the position behind it: whoever begins there again gets what comes next. */
export type Followed =
  | { readonly type: 'record'; readonly record: JournalRecord; readonly at: JournalPosition }
  /** A new owner, or a rewind: of what was read before, only what lies before `at` still counts. */
  | { readonly type: 'cut'; readonly at: JournalPosition }
  /** The session was deleted; nothing follows. */
  | { readonly type: 'removed' };

/**
 * Reads on in the journal of a session, as often as it is asked. Invariants:
 * 1. Every record is reported once; one that a later epoch does not count is taken back by a `cut`.
 * 2. A half last line is left for the next time; a damaged line is an error that names file and line.
 * 3. What was read is not read again, however long the journal is.
 */
export class JournalCursor {
  readonly #files: SessionFolder;
  readonly #room: Buffer | undefined;
  #at: JournalPosition | undefined;

  /** `forgets`: what a step added is not looked at after the next record, so that no memory has to be kept for it. */
  constructor(folder: string, from?: JournalPosition, { forgets = false } = {}) {
    this.#files = new SessionFolder(dirname(folder), basename(folder));
    this.#at = from;
    this.#room = forgets ? sharedRoom() : undefined;
  }

  /** What was written since the last time. */
  *read(): Generator<Followed, void, undefined> {
    const chain = countedEpochs(this.#files);
    if (chain.length === 0 && !this.#files.exists()) return yield { type: 'removed' };
    const valid = this.#at && stillCounted(chain, this.#at);
    const isCut = valid !== undefined && valid !== this.#at;
    this.#at = valid ?? this.#at;
    if (isCut) yield { type: 'cut', at: valid };
    for (const epoch of chain) {
      if (this.#at && epoch.epoch < this.#at.epoch) continue;
      const start = this.#at?.epoch === epoch.epoch ? this.#at.offset : 0;
      for (const followed of recordsIn(this.#files, epoch, start, this.#room)) {
        this.#at = followed.at;
        yield followed;
      }
    }
  }
}

/** The same position where all before it counts, else the last one before it that does. */
function stillCounted(chain: readonly CountedEpoch[], at: JournalPosition): JournalPosition | undefined {
  const last = chain.findLast(({ epoch }) => epoch <= at.epoch);
  if (!last) return undefined;
  const { epoch, end = Number.POSITIVE_INFINITY } = last;
  if (epoch === at.epoch && at.offset <= end) return at;
  return { epoch, offset: end };
}

let shared: Buffer | undefined;

/** One for all that forget: each is read to its end before the next one is. */
function sharedRoom(): Buffer {
  shared ??= Buffer.allocUnsafe(PIECE);
  return shared;
}

/** Read in pieces, so that a long journal is not held in memory while its reader is slow. */
const PIECE = 1024 * 1024;

function* recordsIn(
  files: SessionFolder,
  { epoch, end = Number.POSITIVE_INFINITY }: CountedEpoch,
  from: number,
  room: Buffer | undefined,
): Generator<Extract<Followed, { type: 'record' }>> {
  const file = files.journal(epoch);
  let offset = from;
  for (let size = PIECE; ; ) {
    const bytes = files.readFrom(file, offset, Math.min(size, end - offset), room);
    let start = 0;
    for (let stop = bytes.indexOf(LINE_END); stop >= 0; stop = bytes.indexOf(LINE_END, start)) {
      if (!isWhole(bytes, start, stop)) throw corrupt(file, lineAt(files, file, offset + start));
      const record = decodeLine(bytes, start, stop, 'utf8');
      start = stop + 1;
      yield { type: 'record', record, at: { epoch, offset: offset + start } };
    }
    offset += start;
    if (bytes.length < size) return;
    // One line that is longer than a piece.
    size = start === 0 ? size * 2 : PIECE;
  }
}

/** Counted only where a line is damaged. */
function lineAt(files: SessionFolder, file: string, offset: number): number {
  const before = files.readFrom(file, 0, offset);
  return before.reduce((lines, byte) => (byte === LINE_END ? lines + 1 : lines), 1);
}

/** An epoch that counts, up to where the one after it was based on it; the newest has no end. */
interface CountedEpoch {
  readonly epoch: number;
  readonly end?: number;
}

/** The first two lines of an epoch are short; what follows them may be long and is not looked at here. */
const HEAD = 4096;

/** Which epochs count, oldest first, by the heads of their files alone. */
function countedEpochs(files: SessionFolder): readonly CountedEpoch[] {
  for (const newest of files.epochs().toReversed()) {
    let base = basedOn(files, newest);
    // An epoch whose owner has not yet said what it is based on counts for nothing but its number.
    if (newest > 1 && !base) continue;
    const chain: CountedEpoch[] = [{ epoch: newest }];
    while (base) {
      chain.unshift({ epoch: base.epoch, end: base.bytes });
      base = basedOn(files, base.epoch);
    }
    return chain;
  }
  return [];
}

function basedOn(files: SessionFolder, epoch: number): BasedRecord | undefined {
  const file = files.journal(epoch);
  const head = files.readFrom(file, 0, HEAD);
  refuseNewerFormat(file, head);
  const start = head.indexOf(LINE_END) + 1;
  const end = head.indexOf(LINE_END, start);
  if (start === 0 || end < 0 || !isWhole(head, start, end)) return undefined;
  const record = decodeLine(head, start, end, 'utf8');
  return record.t === 'based' ? record : undefined;
}
