import type { JsonValue } from '../../../kernel/json.ts';
import { durationMs } from './duration.ts';
import { momentAt } from './when.ts';

const DAY_MS = 86_400_000;
/** What is further away than this was misread. */
const LONGEST_MS = 400 * DAY_MS;

/** The words after which a sentence says when a limit is over. */
const BEFORE =
  /\b(?:resets?|reset|renews?|refresh(?:es)?|regain access|(?:try|be available|available) again|retry(?:ing)?|retry-after|wait|until|come back|unlock(?:s|ed)?|lifted|replenish(?:es|ed)?|restored|expires)\b/gi;
/** What may stand between them and the moment. */
const FILLER =
  /^(?:[\s:=·∙"'“”([]|\b(?:at|on|in|by|after|for|until|about|around|approximately|again|before|once|your|the|this|its|limits?|quota|usage|access|window|will|be|is|to|reset|resets|time|another|next)\b|~|>)*/i;

const OLD_CLAUDE = /limit reached\|(\d{10,13})\b/;
const EPOCH =
  /["']?\b(?:resets?[-_ ]?(?:at|on|time(?:stamp)?)?|x-ratelimit-reset[\w-]*)["']?\s*[:=]\s*["']?(\d{10}|\d{13})\b/i;
const SECONDS =
  /["']?\b(?:resets?_in_seconds|reset_after_seconds|retry[-_ ]?after(?:_seconds)?)["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)["']?(?![\w.:-])/i;
const MILLISECONDS =
  /["']?\b(?:retry[-_ ]?after[-_ ]?ms|retryDelayMs|retry_delay_ms)["']?\s*[:=]\s*["']?(\d+(?:\.\d+)?)/i;
const DELAY = /["']?\b(?:retryDelay|quotaResetDelay|retry_delay)["']?\s*[:=]\s*["']?([\d.hms]+)["']?/i;
const STAMP =
  /["']?\b(?:quotaResetTimeStamp|resets?_?at|resetTime|retry[-_ ]?after)["']?\s*[:=]\s*["']?([A-Z0-9][^"'\n]{8,40})/i;

/**
 * When a text says that a limit is over, in milliseconds since 1970: fields in it first, then its words. A clock time
 * means its next occurrence, where no zone is named on the clock of this machine.
 */
export function resetTime(said: string, now: number): number | undefined {
  // A provider's answer is often quoted as a string inside of another one.
  const text = said.replaceAll('\\"', '"');
  return plausible(fieldIn(text, now) ?? sentenceIn(text, now), now);
}

/** The value of a field or header that tells a time: seconds to wait, an epoch, a date, a duration. */
export function momentOfValue(value: JsonValue | undefined, now: number): number | undefined {
  if (typeof value === 'number') return ofNumber(value, now);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return ofNumber(Number(text), now);
  const wait = durationMs(text);
  return plausible(wait === undefined ? momentAt(text, now) : now + wait, now);
}

/** Seconds or milliseconds since 1970, told apart by their size. */
export function epochMs(value: number): number {
  return value < 1e11 ? value * 1000 : value;
}

function ofNumber(value: number, now: number): number | undefined {
  if (value <= 0) return undefined;
  return plausible(value >= 1e9 ? epochMs(value) : now + value * 1000, now);
}

function fieldIn(text: string, now: number): number | undefined {
  const epoch = OLD_CLAUDE.exec(text)?.[1] ?? EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return epochMs(Number(epoch));
  const stamp = STAMP.exec(text)?.[1];
  const stamped = stamp === undefined ? undefined : momentAt(stamp, now);
  if (stamped !== undefined) return stamped;
  const delay = durationMs(DELAY.exec(text)?.[1] ?? '');
  if (delay !== undefined) return now + delay;
  const milliseconds = MILLISECONDS.exec(text)?.[1];
  if (milliseconds !== undefined) return now + Number(milliseconds);
  const seconds = SECONDS.exec(text)?.[1];
  return seconds === undefined ? undefined : now + Number(seconds) * 1000;
}

function sentenceIn(text: string, now: number): number | undefined {
  for (const found of text.matchAll(BEFORE)) {
    const rest = text.slice(found.index + found[0].length, found.index + found[0].length + 120);
    const at = momentAt(rest.replace(FILLER, ''), now);
    if (at !== undefined) return at;
  }
  return undefined;
}

function plausible(at: number | undefined, now: number): number | undefined {
  return at !== undefined && Number.isFinite(at) && at <= now + LONGEST_MS && at > now - LONGEST_MS
    ? at
    : undefined;
}
