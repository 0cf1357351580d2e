import { isAscii } from 'node:buffer';
import { action } from '../../../kernel/action.ts';
import { CorruptSessionError, LoopwrightError } from '../../../kernel/errors.ts';
import type { ClaimedRecord, JournalRecord } from '../record.ts';
import { endOfStep } from '../step-position.ts';
import { decodeLine, isWhole, LINE_END } from './line.ts';
import type { SessionFolder } from './session-folder.ts';

export const FORMAT = 1;

export interface JournalContent {
  readonly epoch: number;
  readonly claimed: ClaimedRecord;
  /** Records that count, oldest first, over all epochs. */
  readonly records: readonly JournalRecord[];
  /** The newest epoch whose records count, and how many bytes of it are whole lines. */
  readonly end: { readonly epoch: number; readonly bytes: number };
}

interface EpochContent {
  readonly claimed: ClaimedRecord;
  readonly records: readonly JournalRecord[];
  readonly bytes: number;
}

/**
 * Reads the journal of a session over all its epochs. The newest epoch says how much of an earlier one counts;
 * an epoch whose owner died before saying so counts for nothing but its number.
 */
export function readJournal(files: SessionFolder): JournalContent | undefined {
  const epochs = files.epochs();
  const newest = epochs.at(-1);
  if (newest === undefined) return undefined;
  let claimed: ClaimedRecord | undefined;
  for (const epoch of epochs.toReversed()) {
    const content = readEpoch(files, epoch);
    claimed ??= content.claimed;
    if (epoch > 1 && content.records[1]?.t !== 'based') continue;
    const earlier = earlierRecords(files, content);
    return {
      epoch: newest,
      claimed,
      records: [...earlier, ...content.records],
      end: { epoch, bytes: content.bytes },
    };
  }
  return undefined;
}

/** The journal as it was at the end of a step: what a rewound or forked session begins with. */
export function journalUpTo(files: SessionFolder, step: number): JournalContent | undefined {
  const journal = readJournal(files);
  if (!journal) return undefined;
  const records = journal.records.slice(0, endOfStep(journal.records, step));
  const first = records.findLastIndex((record) => record.t === 'claimed');
  const claimed = records[first];
  const epoch = claimed?.t === 'claimed' ? claimed.epoch : 1;
  const bytes = bytesOfLines(files.read(files.journal(epoch)), records.length - first);
  return { ...journal, records, end: { epoch, bytes } };
}

function bytesOfLines(bytes: Buffer, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line++) end = bytes.indexOf(LINE_END, end) + 1;
  return end;
}

function earlierRecords(files: SessionFolder, content: EpochContent): JournalRecord[] {
  const chain: (readonly JournalRecord[])[] = [];
  let base = content.records[1];
  while (base?.t === 'based') {
    const earlier = readEpoch(files, base.epoch, base.bytes);
    chain.unshift(earlier.records);
    base = earlier.records[1];
  }
  return chain.flat();
}

function readEpoch(files: SessionFolder, epoch: number, counted?: number): EpochContent {
  const file = files.journal(epoch);
  const bytes = files.read(file);
  if (counted !== undefined && bytes.length < counted) {
    throw new CorruptSessionError(`${file} has ${bytes.length} bytes, but ${counted} were taken over.`, {
      next: 'The file was shortened by something else; restore it from a backup.',
    });
  }
  refuseNewerFormat(file, bytes);
  const { records, whole } = readLines(file, counted === undefined ? bytes : bytes.subarray(0, counted));
  const [claimed] = records;
  if (claimed?.t !== 'claimed') {
    throw new CorruptSessionError(`${file}, line 1: the journal does not begin with its owner.`, {
      next: action('session.clean', 'Restore the file from a backup, or remove the session', {
        session: files.id,
      }),
    });
  }
  return { claimed, records, bytes: whole };
}

/** Looked for before anything is checked: a newer version may check its lines in another way. */
export function refuseNewerFormat(file: string, bytes: Buffer): void {
  const first = bytes.toString('utf8', 0, Math.max(0, bytes.indexOf(LINE_END)));
  const format = Number(/^\{"t":"claimed","format":(\d+)/.exec(first)?.[1] ?? FORMAT);
  if (format <= FORMAT) return;
  throw new LoopwrightError(
    `${file} was written by a newer loopwright (format ${format}; this one reads ${FORMAT}).`,
    { next: 'Update loopwright, then run the command again. Nothing was changed.' },
  );
}

/** All whole lines. A last line without its end was cut by a crash; any other damage is corruption. */
function readLines(file: string, bytes: Buffer): { records: JournalRecord[]; whole: number } {
  const records: JournalRecord[] = [];
  const encoding = isAscii(bytes) ? 'latin1' : 'utf8';
  let start = 0;
  for (let end = bytes.indexOf(LINE_END); end >= 0; end = bytes.indexOf(LINE_END, start)) {
    if (!isWhole(bytes, start, end)) throw corrupt(file, records.length + 1);
    records.push(decodeLine(bytes, start, end, encoding));
    start = end + 1;
  }
  return { records, whole: start };
}

export function corrupt(file: string, line: number): CorruptSessionError {
  return new CorruptSessionError(`${file}, line ${line}: the line is damaged.`, {
    next: 'Restore the file from a backup. loopwright does not guess what a finished step did.',
  });
}
