import { freezeJson, isJsonObject, type JsonValue } from '../../kernel/json.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { History } from '../state/history.ts';
import type { Merged } from './merge.ts';

/** A returned segment is not one; the message says which and why. */
export class BadSegmentError extends TypeError {}

export interface Reconciled {
  readonly added: readonly ContextSegment[];
  readonly dropped: readonly string[];
}

/**
 * What a returned payload does to the history: segments that were shown and did not come back are dropped, new
 * ones are appended, segments that were not shown stay, injected ones never enter. A segment that comes back
 * with another content is a new one in the place of the old: nothing in the history is ever altered.
 */
export function reconcile(history: History, merged: Merged, returned: readonly unknown[]): Reconciled {
  // Most workers return what they got plus something: comparing identities is all that costs.
  const unchanged = merged.shown === 'everything' && history.isPrefixOf(returned);
  const rest = (unchanged ? returned.slice(history.length) : returned).map(readSegment);
  const injected = new Set(merged.injected.map((segment) => segment.id));
  const came = new Set<string>();
  const fresh = rest.filter((segment) => {
    if (injected.has(segment.id)) return false;
    const known = history.get(segment.id);
    if (!known || !isSame(known, segment)) return true;
    came.add(segment.id);
    return false;
  });
  const shown = unchanged ? [] : merged.shown === 'everything' ? history.segments() : merged.shown;
  const dropped = shown.filter((segment) => !came.has(segment.id)).map((segment) => segment.id);
  return { added: withOwnIds(fresh, history), dropped };
}

function isSame(known: ContextSegment, returned: ContextSegment): boolean {
  return known === returned || JSON.stringify(known) === JSON.stringify(returned);
}

/** What a step adds is written to the journal and sent to models; beyond this it is a file, not a segment. */
const MAX_SEGMENT = 32 * 2 ** 20;

/** Characters of all texts in a value, which is what makes a segment large. */
function textLength(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  for (const inner of Object.values(value)) sum += inner === undefined ? 0 : textLength(inner);
  return sum;
}

function readSegment(value: unknown, index: number): ContextSegment {
  if (!isJsonObject(value)) throw new BadSegmentError(`entry ${index} of new_payload is not a segment`);
  const { id, type, content } = value;
  if (typeof type !== 'string' || type === '')
    throw new BadSegmentError(`entry ${index} of new_payload has no type`);
  if (typeof id !== 'string' || id === '')
    throw new BadSegmentError(`entry ${index} of new_payload (${type}) has no id`);
  if (content === undefined) throw new BadSegmentError(`segment ${id} (${type}) has no content`);
  const reason = freezeJson(value);
  if (reason !== undefined) throw new BadSegmentError(`segment ${id} (${type}) cannot be stored: ${reason}`);
  if (textLength(content) > MAX_SEGMENT) {
    throw new BadSegmentError(
      `segment ${id} (${type}) is larger than ${MAX_SEGMENT / 2 ** 20} MiB; write it to a file and name the file`,
    );
  }
  return value as unknown as ContextSegment;
}

/** Ids are unique in a history: a new segment whose id was used before gets a suffix. */
function withOwnIds(segments: readonly ContextSegment[], history: History): readonly ContextSegment[] {
  const seen = new Set<string>();
  return segments.map((segment) => {
    let id = segment.id;
    for (let n = 2; seen.has(id) || history.knows(id); n++) id = `${segment.id}#${n}`;
    seen.add(id);
    return id === segment.id ? segment : Object.freeze({ ...segment, id });
  });
}
