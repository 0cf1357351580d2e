const UNIT_MS: { readonly [unit: string]: number } = {
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};
const CLOCK = /\b(\d{1,2}):(\d{2})\s*([ap])\.?m\.?(?:\s*\(([A-Za-z_/+-]+)\))?/i;
const HOUR = /\bat (\d{1,2})\s*([ap])m\b(?:\s*\(([A-Za-z_/+-]+)\))?/i;
const DATED = /\b([A-Z][a-z]{2,8} \d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? (\d{1,2}:\d{2}\s*[AP]M)/;
const WAIT =
  /\b(?:try again in|retry after|retry in|resets? in|wait|retryDelay\W{1,4})\s*((?:\d+(?:\.\d+)?\s*(?:ms|d|h|m|s)[a-z]*\s*)+)/i;
const EPOCH = /"?resets?_?at"?\s*[:=]\s*"?(\d{10,13})\b/i;

/**
 * When a text says that a limit is over, in milliseconds since 1970. A clock time means its next occurrence,
 * where no zone is named on the clock of this machine.
 */
export function resetTime(text: string, now: number): number | undefined {
  const epoch = EPOCH.exec(text)?.[1];
  if (epoch !== undefined) return epochMs(Number(epoch));
  const wait = WAIT.exec(text)?.[1];
  if (wait !== undefined) return now + durationMs(wait);
  const dated = DATED.exec(text);
  if (dated) {
    const at = Date.parse(`${dated[1]} ${dated[2]} ${dated[3]}`);
    if (!Number.isNaN(at)) return at;
  }
  const clock = CLOCK.exec(text);
  if (clock) return nextClockTime(hour24(clock[1], clock[3]), Number(clock[2]), clock[4], now);
  const hour = HOUR.exec(text);
  return hour ? nextClockTime(hour24(hour[1], hour[2]), 0, hour[3], now) : undefined;
}

/** Seconds or milliseconds since 1970, told apart by their size. */
export function epochMs(value: number): number {
  return value < 1e11 ? value * 1000 : value;
}

function durationMs(text: string): number {
  const parts = text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|d|h|m|s)/gi);
  return [...parts].reduce(
    (sum, part) => sum + Number(part[1]) * (UNIT_MS[(part[2] ?? '').toLowerCase()] ?? 0),
    0,
  );
}

function hour24(hour: string | undefined, half: string | undefined): number {
  return (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
}

/** Counts from what the clock of that zone shows now, so no offset has to be known. */
export function nextClockTime(hour: number, minute: number, zone: string | undefined, now: number): number {
  const shown = clockMinutes(now, zone);
  const ahead = (hour * 60 + minute - shown + 1440) % 1440;
  const minuteStart = now - (now % 60_000);
  return minuteStart + (ahead === 0 ? 1 : ahead) * 60_000;
}

function clockMinutes(now: number, zone: string | undefined): number {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const [hour, minute] = zonedFormat(options, zone).format(now).split(':').map(Number);
  return (hour ?? 0) * 60 + (minute ?? 0);
}

function zonedFormat(options: Intl.DateTimeFormatOptions, zone: string | undefined): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      ...options,
      ...(zone === undefined ? {} : { timeZone: zone }),
    });
  } catch {
    // A word in brackets that is no zone.
    return new Intl.DateTimeFormat('en-GB', options);
  }
}
