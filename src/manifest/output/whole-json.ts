import type { JsonValue } from '../../kernel/json.ts';
import { fencedBlocks } from './fences.ts';

/**
 * The value of a text that is nothing but JSON, or nothing but one fence around JSON. A text that only quotes some
 * (a file it read, an example, somebody else's words) has none: who decides something must say just that.
 */
export function wholeJson(text: string): JsonValue | undefined {
  return parsed(bare(text));
}

/** The text without the one fence that is all of it. */
export function bare(text: string): string {
  const [only] = fencedBlocks(text);
  if (!only?.closed || only.before.trim() !== '' || only.after.trim() !== '') return text;
  return only.content;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
