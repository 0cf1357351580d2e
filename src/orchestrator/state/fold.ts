import { CorruptSessionError } from '../../kernel/errors.ts';
import { apply } from './apply.ts';
import type { JournalRecord } from './record.ts';
import type { SessionState } from './session-state.ts';

export function fold(records: readonly JournalRecord[], id: string): SessionState {
  let state: SessionState | undefined;
  for (const record of records) state = apply(state, record);
  if (!state) throw new CorruptSessionError(`The journal of session ${id} has no beginning.`);
  return state;
}
