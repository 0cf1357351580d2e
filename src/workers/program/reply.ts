import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { findJsonMistake } from '../../kernel/json-mistake.ts';
import type { Masker } from '../../kernel/mask.ts';
import { maskJson } from '../../kernel/mask-json.ts';
import { type WorkerKind, whyReserved } from '../../manifest/origin.ts';
import { bare, wholeJson } from '../../manifest/output/whole-json.ts';
import type { ReplyTerms } from '../../manifest/reply-terms.ts';
import { SUCCESS, type Usage } from '../../manifest/worker.ts';

export interface Reply {
  readonly signal: string;
  readonly segments: readonly { readonly type: string; readonly content: JsonValue }[];
  readonly usage: Usage | undefined;
  /** A secret showed only after the JSON was parsed, and was masked. */
  readonly masked: boolean;
}

type Read = Reply | { readonly problem: string };

/** Who answers, and what its block lets the answer decide. */
export type Terms = ReplyTerms & { readonly kind: WorkerKind };

/** Both end up in a terminal, so nothing that moves its cursor may be in them. */
const SIGNAL = /^SIGNAL:[\p{L}\p{N}_.:-]+$/u;
const TYPE = /^[^\p{C}\p{Zl}\p{Zp}]+$/u;

/**
 * Reads an answer under the terms of its block. Where a reply is asked for, it counts only if the whole answer is
 * that JSON: what is merely quoted in a text decides nothing. Any other answer is text.
 */
export function readReply(output: string, masker: Masker, terms: Terms): Read {
  if (terms.structured) {
    const found = wholeJson(output);
    if (isReply(found)) {
      const value = maskJson(masker, found);
      return structured(value, terms, { masked: value !== found });
    }
    const problem = whatIsWrong(output);
    if (problem !== undefined) return { problem };
  }
  const text = output.trim();
  const segments = text === '' ? [] : [{ type: 'MODEL_OUTPUT', content: text }];
  return { signal: SUCCESS, segments, usage: undefined, masked: false };
}

function isReply(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && ('signal' in value || 'segments' in value);
}

function structured(value: JsonObject, terms: Terms, { masked }: { masked: boolean }): Read {
  const { signal = SUCCESS, segments = [], usage } = value;
  if (typeof signal !== 'string' || !SIGNAL.test(signal)) {
    return { problem: `its "signal" is ${JSON.stringify(signal)} instead of a text such as "${SUCCESS}"` };
  }
  if (!terms.signals.includes(signal)) {
    return { problem: `its "signal" is ${signal}, and it may choose only ${terms.signals.join(', ')}` };
  }
  if (!Array.isArray(segments)) return { problem: 'its "segments" is not a list' };
  const read: { type: string; content: JsonValue }[] = [];
  for (const [index, segment] of segments.entries()) {
    const { type, content } = isJsonObject(segment) ? segment : {};
    if (typeof type !== 'string' || type === '' || content === undefined) {
      return { problem: `its segment ${index} has no "type" or no "content"` };
    }
    if (!TYPE.test(type)) return { problem: `the "type" of its segment ${index} has control characters` };
    const reserved = whyReserved(type, terms.kind);
    if (reserved !== undefined) return { problem: `its segment ${index} ${reserved}` };
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
/** Where a reply begins: with the text, or behind some chatter. */
const BEGINNING = /^\s*(?:```\w*\s*)?\{|\{\s*"(?:signal|segments|usage)"\s*:/;

/** Says why a text that looks like a reply is none; undefined: it does not look like one. */
function whatIsWrong(text: string): string | undefined {
  const json = bare(text);
  const beginning = BEGINNING.exec(json);
  if (!beginning || !KEY.test(json.slice(beginning.index))) return undefined;
  const open = json.indexOf('{', beginning.index);
  const end = closingBracket(json, open);
  if (end < 0) return 'it begins like a JSON reply and breaks off in the middle of it';
  const mistake = findJsonMistake(json.slice(open, end + 1));
  if (mistake) return `it looks like a JSON reply and is none: ${mistake.reason.replace(/\.$/, '')}`;
  if (json.slice(0, open).trim() === '' && json.slice(end + 1).trim() === '') return undefined;
  return 'it holds a JSON reply among other text; a reply counts only if it is the whole answer';
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
