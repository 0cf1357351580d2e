import { readNotes } from '../../manifest/read-note.ts';
import type { JournalRecord } from './record.ts';

/** What a fork takes over: what was done and said, not who owned it or why it stood still. */
export function asPast(record: JournalRecord): JournalRecord[] {
  if (record.t === 'continued' || record.t === 'usage') return [record];
  if (record.t === 'progress') {
    const kept = readNotes(record.note).filter(({ type }) => type !== 'checkpoint');
    return kept.map((note) => ({ ...record, note }));
  }
  if (record.t !== 'step') return [];
  const { status: _status, files: _files, ...rest } = record;
  return [rest];
}
