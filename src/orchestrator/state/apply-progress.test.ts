import { expect, it } from 'vitest';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import { apply } from './apply.ts';
import type { CreatedRecord, JournalRecord } from './record.ts';
import type { SessionState } from './session-state.ts';

const created: CreatedRecord = {
  t: 'created',
  id: 's',
  goal: 'g',
  inputs: {},
  start: 'N__B',
  digest: '',
  budget: {},
  stepping: false,
  payload: [],
  files: 'first',
  at: 1,
};

function after(...notes: ProgressNote[]): SessionState | undefined {
  const records: JournalRecord[] = notes.map((note) => ({ t: 'progress', step: 1, note }));
  return records.reduce(apply, apply(undefined, created));
}

it('a checkpoint that was made on the way is the newest one; a note of another kind changes no files', () => {
  expect(after({ type: 'checkpoint', task: 't', files: 'second' })?.files).toBe('second');
  expect(after({ type: 'context', files: [{ path: 'a' }] })?.files).toBe('first');
});

it('what was said and how a task ended are kept', () => {
  const state = after(
    { type: 'said', task: 't', said: 'input', text: 'yes', at: 5 },
    { type: 'task', task: 't', status: 'DONE', exit: { code: 3 } },
  );
  expect(state?.said.at(-1)).toEqual({ at: 5, kind: 'input', block: 'N__B', task: 't', text: 'yes' });
  expect([state?.tasks, state?.exits]).toEqual([{ t: 'DONE' }, { t: { code: 3 } }]);
  expect(after({ type: 'task', task: 't', status: 'RUNNING' })?.exits).toEqual({});
});
