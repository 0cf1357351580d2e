import { freezeJson, isJsonObject } from '../../kernel/json.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { History } from '../state/history.ts';
import type { Merged } from './merge.ts';

export interface Reconciled {
  readonly added: readonly ContextSegment[];
  readonly dropped: readonly string[];
}

/**
 * What a returned payload does to the history: segments that were shown and did not come back are dropped, new
 * ones are appended, segments that were not shown stay, injected ones never enter.
 * Throws when a returned segment is not a segment.
 */
export function reconcile(history: History, merged: Merged, returned: readonly unknown[]): Reconciled {
  // Most workers return what they got plus something: comparing identities is all that costs.
  const kept = merged.shown === 'everything' && history.isPrefixOf(returned) ? history.length : 0;
  const rest = returned.slice(kept).map(readSegment);
  const injected = new Set(merged.injected.map((segment) => segment.id));
  const fresh = rest.filter((segment) => !injected.has(segment.id) && !history.has(segment.id));
  return { added: withOwnIds(fresh), dropped: missing(history, merged, kept, rest) };
}

function missing(
  history: History,
  merged: Merged,
  kept: number,
  returned: readonly ContextSegment[],
): readonly string[] {
  if (merged.shown === 'everything' && kept === history.length) return [];
  const shown = merged.shown === 'everything' ? history.segments() : merged.shown;
  const came = new Set(returned.map((segment) => segment.id));
  return shown.filter((segment) => !came.has(segment.id)).map((segment) => segment.id);
}

function readSegment(value: unknown, index: number): ContextSegment {
  if (!isJsonObject(value)) throw new TypeError(`entry ${index} of new_payload is not a segment`);
  const { id, type, content } = value;
  if (typeof type !== 'string' || type === '')
    throw new TypeError(`entry ${index} of new_payload has no type`);
  if (typeof id !== 'string' || id === '')
    throw new TypeError(`entry ${index} of new_payload (${type}) has no id`);
  if (content === undefined) throw new TypeError(`segment ${id} (${type}) has no content`);
  const reason = freezeJson(value);
  if (reason !== undefined) throw new TypeError(`segment ${id} (${type}) cannot be stored: ${reason}`);
  return value as unknown as ContextSegment;
}

/** Ids are unique in a history: of two new segments with one id, the later gets a suffix. */
function withOwnIds(segments: readonly ContextSegment[]): readonly ContextSegment[] {
  const seen = new Set<string>();
  return segments.map((segment) => {
    let id = segment.id;
    for (let n = 2; seen.has(id); n++) id = `${segment.id}#${n}`;
    seen.add(id);
    return id === segment.id ? segment : Object.freeze({ ...segment, id });
  });
}
