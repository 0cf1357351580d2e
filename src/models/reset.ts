import { isJsonObject, type JsonValue } from '../kernel/json.ts';
import type { Refusal } from './model-error.ts';

const UNITS_MS: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** When a provider takes requests again: by its headers, then by the fields of its answer. */
export function parseReset({ headers, body }: Refusal, now: number): number | undefined {
  const after = afterHeader(headers['retry-after'], now) ?? milliseconds(headers['retry-after-ms'], now);
  return after ?? latest(resetHeaders(headers, now)) ?? resetInBody(body, now);
}

/** Seconds, or an HTTP date. */
function afterHeader(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value.trim())) return now + Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : date;
}

function milliseconds(value: string | undefined, now: number): number | undefined {
  return value !== undefined && /^\d+(?:\.\d+)?$/.test(value) ? now + Number(value) : undefined;
}

/** `anthropic-ratelimit-…-reset` holds a date, `x-ratelimit-reset-…` a span such as `6m0s`; only of what is used up. */
function resetHeaders(headers: Refusal['headers'], now: number): number[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!/ratelimit.*reset|ratelimit-reset/.test(name)) return [];
    const remaining = headers[name.replace('reset', 'remaining')];
    if (remaining !== undefined && Number(remaining) > 0) return [];
    const at = span(value) === undefined ? Date.parse(value) : now + (span(value) ?? 0);
    return Number.isNaN(at) ? [] : [at];
  });
}

function span(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text.trim()) return undefined;
  return parts.reduce((sum, [, amount, unit = 's']) => sum + Number(amount) * (UNITS_MS[unit] ?? 0), 0);
}

/** Google's `RetryInfo` says `retryDelay: "34s"`; others say `resets_at` in seconds since 1970. */
function resetInBody(body: string, now: number): number | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(body) as JsonValue;
  } catch {
    // Not every proxy answers in JSON.
    return undefined;
  }
  const found: number[] = [];
  const look = (part: JsonValue | undefined): void => {
    if (Array.isArray(part)) return part.forEach(look);
    if (!isJsonObject(part)) return;
    const { retryDelay, resets_at: resetsAt, resets_in_seconds: inSeconds } = part;
    if (typeof retryDelay === 'string') found.push(now + (span(retryDelay) ?? 0));
    if (typeof resetsAt === 'number') found.push(resetsAt * 1000);
    if (typeof inSeconds === 'number') found.push(now + inSeconds * 1000);
    Object.values(part).forEach(look);
  };
  look(value);
  return latest(found);
}

function latest(times: readonly number[]): number | undefined {
  return times.length === 0 ? undefined : Math.max(...times);
}
