import type { BasedRecord } from '../record.ts';
import { decodeLine, isWhole, LINE_END } from './line.ts';
import { refuseNewerFormat } from './read-journal.ts';
import type { SessionFolder } from './session-folder.ts';

/** An epoch that counts, up to where the one after it was based on it; the newest has no end. */
export interface CountedEpoch {
  readonly epoch: number;
  readonly end?: number;
}

/** The first two lines of an epoch are short; what follows them may be long and is not looked at here. */
const HEAD = 4096;

/** Which epochs count, oldest first, by the heads of their files alone. */
export function countedEpochs(files: SessionFolder): readonly CountedEpoch[] {
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
