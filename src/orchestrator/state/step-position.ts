import { NotFoundError } from '../../kernel/errors.ts';
import type { JournalRecord } from './record.ts';

/** How many records there are up to the end of a step; step 0 is the beginning. */
export function endOfStep(records: readonly JournalRecord[], step: number): number {
  const index = records.findLastIndex((record) =>
    step === 0 ? record.t === 'created' : record.t === 'step' && record.ran && record.step === step,
  );
  if (index >= 0) return index + 1;
  const last = records.findLast((record) => record.t === 'step')?.step ?? 0;
  throw new NotFoundError(`The session has no step ${step}.`, {
    next: `Its steps are 0 to ${last}; 0 is its beginning.`,
  });
}
