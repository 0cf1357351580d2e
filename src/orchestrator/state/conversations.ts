import { isJsonObject, type JsonValue } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import { readNotes } from '../../manifest/read-note.ts';
import type { Continues } from '../../manifest/worker.ts';
import type { JournalRecord } from './record.ts';
import { segmentsOf } from './stored-segments.ts';

/** What may become of conversations that a session did not have for itself; one that is not named is its own. */
export type Conversations = { readonly [id: string]: Exclude<Continues, 'yes'> };

/**
 * What a session may do with the conversations it knows when only what came up to a step counts. One that went on
 * after it knows what never happened here. `otherwise`: what holds for the rest, which end where the session does.
 */
export function conversationsAt(
  records: readonly JournalRecord[],
  end: number,
  otherwise: 'fork' | undefined,
): Conversations {
  const known = idsIn(records.slice(0, end));
  const after = records.slice(end);
  const later = idsIn(after);
  const unknown = wasCutOff(after);
  const named = [...known].flatMap((id) => {
    const may = unknown || later.has(id) ? 'no' : otherwise;
    return may === undefined ? [] : [[id, may] as const];
  });
  return Object.fromEntries(named);
}

function idsIn(records: readonly JournalRecord[]): Set<string> {
  const ids = records.flatMap((record) => {
    if (record.t === 'progress') return readNotes(record.note).flatMap(conversationIn).flatMap(idOf);
    if (record.t !== 'step') return [];
    return segmentsOf(record.added).flatMap((segment) =>
      isGenuine(segment, 'AGENT_RUN') && isJsonObject(segment.content)
        ? idOf(segment.content['conversation'])
        : [],
    );
  });
  return new Set(ids);
}

function conversationIn(note: ProgressNote): JsonValue[] {
  return 'conversation' in note && note.conversation ? [note.conversation] : [];
}

function idOf(conversation: JsonValue | undefined): string[] {
  return isJsonObject(conversation) && typeof conversation['id'] === 'string' ? [conversation['id']] : [];
}

/** An agent was at work in a step that never ended: which conversation it was in, nobody noted. */
function wasCutOff(records: readonly JournalRecord[]): boolean {
  const open = records.slice(records.findLastIndex((record) => record.t === 'step' && record.ran) + 1);
  return open.some(
    (record) =>
      record.t === 'progress' &&
      readNotes(record.note).some((note) => note.type === 'task' && note.status === 'RUNNING'),
  );
}
