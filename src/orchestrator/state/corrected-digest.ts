import type { JournalRecord } from './record.ts';

/** The digest of the manifest that was taken up last; undefined: it runs on the one it was started with. */
export function correctedDigest(records: readonly JournalRecord[]): string | undefined {
  const last = records.findLast((record) => record.t === 'manifest');
  return last?.digest === records.find((record) => record.t === 'created')?.digest ? undefined : last?.digest;
}
