import type { JsonValue } from '../../kernel/json.ts';
import { fencedBlocks } from './fences.ts';

/** A scan may look at each character this often; a text of nothing but brackets would take a square of it. */
const LOOKS_PER_CHARACTER = 16;
const MAX_DEPTH = 500;

/** The JSON values that a chatty text holds, most likely first: all of it, fenced blocks, then bracketed parts. */
export function* findJson(text: string): Generator<JsonValue> {
  const whole = parsed(text);
  if (whole !== undefined) {
    yield whole;
    return;
  }
  for (const { content } of fencedBlocks(text)) {
    const value = parsed(content);
    if (value !== undefined) yield value;
  }
  yield* bracketed(text);
}

function* bracketed(text: string): Generator<JsonValue> {
  const start = /\{\s*["}]|\[\s*["{[\]\dtfn-]/g;
  let looks = text.length * LOOKS_PER_CHARACTER;
  for (let found = start.exec(text); found && looks > 0; found = start.exec(text)) {
    const { end, balanced } = scan(text, found.index);
    looks -= end - found.index;
    const value = balanced ? parsed(text.slice(found.index, end)) : undefined;
    // Text that is not JSON as a whole may still contain some: continue right after its first bracket.
    start.lastIndex = value === undefined ? found.index + 1 : end;
    if (value !== undefined) yield value;
  }
}

/** What can stand outside strings, so that a bracket in prose or in a colour code is left after a few characters. */
const OUTSIDE_STRINGS = /[\s\d{}[\],:+.Eaeflnrstu-]/;

/** Goes from an opening bracket to the one that closes it, or to the first thing that cannot be JSON. */
function scan(text: string, start: number): { end: number; balanced: boolean } {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '"') {
      at = stringEnd(text, at);
      if (text[at] !== '"') return { end: at, balanced: false };
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
    else if (!OUTSIDE_STRINGS.test(char)) return { end: at, balanced: false };
    if (depth === 0) return { end: at + 1, balanced: true };
    if (depth > MAX_DEPTH) return { end: at, balanced: false };
  }
  return { end: text.length, balanced: false };
}

/** The position of the quote that closes the string opened at `open`, or where it stops being a string. */
function stringEnd(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
