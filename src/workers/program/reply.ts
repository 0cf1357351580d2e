import { isJsonObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { findJson } from '../../manifest/output/find-json.ts';
import { SUCCESS, type Usage } from '../../manifest/worker.ts';

export interface Reply {
  readonly signal: string;
  readonly segments: readonly { readonly type: string; readonly content: JsonValue }[];
  readonly usage: Usage | undefined;
}

/** Reads what a program printed: its reply as JSON, with or without text around it, or plain text. */
export function readReply(output: string): Reply | { readonly problem: string } {
  for (const value of findJson(output)) {
    if (isJsonObject(value) && ('signal' in value || 'segments' in value)) return structured(value);
  }
  const text = output.trim();
  const segments = text === '' ? [] : [{ type: 'MODEL_OUTPUT', content: text }];
  return { signal: SUCCESS, segments, usage: undefined };
}

function structured(value: JsonObject): Reply | { readonly problem: string } {
  const { signal = SUCCESS, segments = [], usage } = value;
  if (typeof signal !== 'string' || !/^SIGNAL:./.test(signal)) {
    return { problem: `its "signal" is ${JSON.stringify(signal)} instead of a text such as "${SUCCESS}"` };
  }
  if (!Array.isArray(segments)) return { problem: 'its "segments" is not a list' };
  const read: { type: string; content: JsonValue }[] = [];
  for (const [index, segment] of segments.entries()) {
    const { type, content } = isJsonObject(segment) ? segment : {};
    if (typeof type !== 'string' || type === '' || content === undefined) {
      return { problem: `its segment ${index} has no "type" or no "content"` };
    }
    read.push({ type, content });
  }
  return { signal, segments: read, usage: readUsage(usage) };
}

function readUsage(usage: JsonValue | undefined): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { tokens, usd } = usage;
  return { ...amount('tokens', tokens), ...amount('usd', usd) };
}

function amount<K extends string>(key: K, value: JsonValue | undefined): { [key in K]?: number } {
  if (typeof value !== 'number' || !(value >= 0)) return {};
  const read: { [key in K]?: number } = {};
  read[key] = value;
  return read;
}
