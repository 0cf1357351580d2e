import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { findJsonMistake } from '../../kernel/json-mistake.ts';
import type { Masker } from '../../kernel/mask.ts';
import { maskJson } from '../../kernel/mask-json.ts';
import { findJson } from '../../manifest/output/find-json.ts';
import { SUCCESS, type Usage } from '../../manifest/worker.ts';

export interface Reply {
  readonly signal: string;
  readonly segments: readonly { readonly type: string; readonly content: JsonValue }[];
  readonly usage: Usage | undefined;
  /** A secret showed only after the JSON was parsed, and was masked. */
  readonly masked: boolean;
}

type Read = Reply | { readonly problem: string };

/** Both end up in a terminal, so nothing that moves its cursor may be in them. */
const SIGNAL = /^SIGNAL:[\p{L}\p{N}_.:-]+$/u;
const TYPE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/** Reads what a program printed: its reply as JSON, with or without text around it, or plain text. */
export function readReply(output: string, masker: Masker): Read {
  const found = replyIn(output);
  const half = found?.isWhole ? undefined : findHalfReply(output);
  if (half && (half.cut || !found)) return { problem: half.problem };
  if (found) {
    const value = maskJson(masker, found.value);
    return structured(value, { masked: value !== found.value });
  }
  const text = output.trim();
  const segments = text === '' ? [] : [{ type: 'MODEL_OUTPUT', content: text }];
  return { signal: SUCCESS, segments, usage: undefined, masked: false };
}

function replyIn(output: string): { value: JsonObject; isWhole: boolean } | undefined {
  for (const value of findJson(output)) {
    if (!isJsonObject(value) || !('signal' in value || 'segments' in value)) continue;
    return { value, isWhole: isParsable(output) };
  }
  return undefined;
}

function isParsable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function structured(value: JsonObject, { masked }: { masked: boolean }): Read {
  const { signal = SUCCESS, segments = [], usage } = value;
  if (typeof signal !== 'string' || !SIGNAL.test(signal)) {
    return { problem: `its "signal" is ${JSON.stringify(signal)} instead of a text such as "${SUCCESS}"` };
  }
  if (!Array.isArray(segments)) return { problem: 'its "segments" is not a list' };
  const read: { type: string; content: JsonValue }[] = [];
  for (const [index, segment] of segments.entries()) {
    const { type, content } = isJsonObject(segment) ? segment : {};
    if (typeof type !== 'string' || type === '' || content === undefined) {
      return { problem: `its segment ${index} has no "type" or no "content"` };
    }
    if (!TYPE.test(type)) return { problem: `the "type" of its segment ${index} has control characters` };
    read.push({ type, content });
  }
  return { signal, segments: read, usage: readUsage(usage), masked };
}

function readUsage(usage: JsonValue | undefined): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { tokens, usd } = usage;
  return { ...amount('tokens', tokens), ...amount('usd', usd) };
}

/** `1e999` is JSON, and infinite once it is parsed. */
function amount<K extends string>(key: K, value: JsonValue | undefined): { [key in K]?: number } {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return {};
  const read: { [key in K]?: number } = {};
  read[key] = value;
  return read;
}

const KEY = /[{,]\s*"(?:signal|segments)"\s*:/;
/** Where a reply begins: with the first object of the text, or with one of its keys behind some chatter. */
const BEGINNING = /^\s*(?:```\w*\s*)?\{\s*"|\{\s*"(?:signal|segments|usage)"\s*:/;

/**
 * A reply that was begun and is not whole, as a problem. `cut`: it does not even close, so what can be read inside
 * of it is a part of the reply and not the reply.
 */
function findHalfReply(text: string): { readonly cut: boolean; readonly problem: string } | undefined {
  const beginning = BEGINNING.exec(text);
  if (!beginning || !KEY.test(text.slice(beginning.index))) return undefined;
  const open = text.indexOf('{', beginning.index);
  const end = closingBracket(text, open);
  if (end < 0)
    return { cut: true, problem: 'it begins like a JSON reply and breaks off in the middle of it' };
  const mistake = findJsonMistake(text.slice(open, end + 1));
  if (!mistake) return undefined;
  return {
    cut: false,
    problem: `it looks like a JSON reply and is none: ${mistake.reason.replace(/\.$/, '')}`,
  };
}

/** The bracket that closes the one at `open`, or -1. Strings may run over lines here: models write them so. */
function closingBracket(text: string, open: number): number {
  let depth = 0;
  let inString = false;
  for (let at = open; at < text.length; at++) {
    const char = text[at];
    if (inString && char === '\\') at++;
    else if (char === '"') inString = !inString;
    else if (inString) continue;
    else if (char === '{' || char === '[') depth++;
    else if ((char === '}' || char === ']') && --depth === 0) return at;
  }
  return -1;
}
