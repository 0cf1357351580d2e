import { DURATION, durationMs } from './duration.ts';
import { momentOf, type WallTime, wallTime, type Zone, zoneOf } from './zone.ts';

const DAY_MS = 86_400_000;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\.?';
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\\.?';
const TIME = '(?<hour>\\d{1,2})(?::(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.\\d+)?)?)?';
const HALF = '(?:\\s*(?<half>[ap])\\.?m\\.?(?![a-z]))';
/** A bare number is no time: it needs its minutes or its half of the day. */
const CLOCK = `(?:${TIME}${HALF}?)`;
const ZONE =
  '(?:\\s*\\(?(?<zone>Z\\b|(?:UTC|GMT)\\s?[+-]\\d{1,2}(?::?\\d{2})?|[+-]\\d{2}:?\\d{2}|[A-Z][A-Za-z_]+(?:/[A-Z][A-Za-z_+-]+){1,2}|(?:Pacific|Eastern) Time|[A-Z]{2,4}\\b)\\)?)';
const BETWEEN = '(?:,|\\s+at|\\s*·|T)?\\s*(?:at\\s+)?';

/** The ways in which a moment is written, the most exact first. */
const WAYS: readonly RegExp[] = [
  // 2026-12-01T00:00:00Z, 2026-12-01 at 00:00 UTC, 2026/12/01
  `(?<year>20\\d{2})[-/](?<monthNumber>\\d{1,2})[-/](?<day>\\d{1,2})(?:${BETWEEN}${CLOCK}${ZONE}?)?`,
  // Nov 20th, 2026 7:34 PM; December 1, 2026 at 12:00 AM UTC; Sep 15 at 7pm (Europe/Berlin); Oct 9
  `(?:${WEEKDAY},?\\s+)?${MONTH}\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(?<year>20\\d{2}))?(?:${BETWEEN}${CLOCK}${ZONE}?)?`,
  // Wed, 18 Nov 2026 09:00:00 GMT; 10 de jul. de 2026, 11:52
  `(?:${WEEKDAY},?\\s+)?(?<day>\\d{1,2})\\.?\\s+(?:de\\s+)?${MONTH}(?:\\s+de)?(?:,?\\s+(?<year>20\\d{2}))?(?:${BETWEEN}${CLOCK}${ZONE}?)?`,
  // tomorrow at 9am
  `(?<tomorrow>tomorrow)(?:${BETWEEN}${CLOCK}${ZONE}?)?`,
  // Mon 9am, Friday at 4:00 PM (Europe/Berlin)
  `(?<weekday>${WEEKDAY})(?:${BETWEEN}${CLOCK}${ZONE}?)?`,
  `(?<duration>${DURATION})`,
  `(?<brief>less than a (?:minute|second))`,
  `(?<midnight>midnight)${ZONE}?`,
  `(?<noon>noon)${ZONE}?`,
  // 3pm, 7:27pm (UTC), 17:04 CET
  `${CLOCK}${ZONE}?`,
].map((way) => new RegExp(`^${way}`, 'i'));

type Parts = { readonly [name: string]: string | undefined };

/** The moment that a text begins with, in milliseconds since 1970. What has no zone is by the clock of this machine. */
export function momentAt(text: string, now: number): number | undefined {
  for (const way of WAYS) {
    const parts: Parts | undefined = way.exec(text)?.groups;
    const at = parts && read(parts, now);
    if (at !== undefined) return at;
  }
  return undefined;
}

function read(parts: Parts, now: number): number | undefined {
  if (parts['duration'] !== undefined) {
    const ms = durationMs(parts['duration']);
    return ms === undefined ? undefined : now + ms;
  }
  if (parts['brief'] !== undefined) return now + 60_000;
  const zone = parts['zone'] === undefined ? undefined : zoneOf(parts['zone']);
  const clock = clockOf(parts);
  if (parts['day'] !== undefined) return dated(parts, clock, zone, now);
  if (parts['tomorrow'] !== undefined) return onDay(1, clock, zone, now);
  if (parts['weekday'] !== undefined) return onWeekday(parts['weekday'], clock, zone, now);
  if (clock === undefined) return undefined;
  return nextClockTime(clock.hour, clock.minute, zone, now);
}

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

function clockOf({ hour, minute, second, half, midnight, noon }: Parts): Clock | undefined {
  if (midnight !== undefined) return { hour: 0, minute: 0, second: 0 };
  if (noon !== undefined) return { hour: 12, minute: 0, second: 0 };
  if (hour === undefined || (minute === undefined && half === undefined)) return undefined;
  const told = Number(hour);
  if (half !== undefined && (told < 1 || told > 12)) return undefined;
  const of24 = half === undefined ? told : (told % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const clock = { hour: of24, minute: Number(minute ?? 0), second: Number(second ?? 0) };
  return clock.hour < 24 && clock.minute < 60 && clock.second < 60 ? clock : undefined;
}

const MIDNIGHT: Clock = { hour: 0, minute: 0, second: 0 };

/** Without a year it is the next such day; one that has just passed is not a year away. */
function dated(parts: Parts, clock: Clock = MIDNIGHT, zone: Zone, now: number): number | undefined {
  const month =
    parts['monthNumber'] === undefined
      ? MONTHS.indexOf((parts['month'] ?? '').slice(0, 3).toLowerCase()) + 1
      : Number(parts['monthNumber']);
  const day = Number(parts['day']);
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const inYear = (year: number) => momentOf({ year, month, day, ...clock }, zone);
  if (parts['year'] !== undefined) return inYear(Number(parts['year']));
  const thisYear = inYear(wallTime(now, zone).year);
  return thisYear < now - 2 * DAY_MS ? inYear(wallTime(now, zone).year + 1) : thisYear;
}

function onDay(ahead: number, clock: Clock = MIDNIGHT, zone: Zone, now: number): number {
  return momentOf(inDays(wallTime(now, zone), ahead, clock), zone);
}

function onWeekday(word: string, clock: Clock | undefined, zone: Zone, now: number): number {
  const today = wallTime(now, zone);
  const weekday = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay();
  const ahead = (WEEKDAYS.indexOf(word.slice(0, 3).toLowerCase()) - weekday + 7) % 7;
  const at = onDay(ahead, clock, zone, now);
  return at > now ? at : onDay(ahead + 7, clock, zone, now);
}

/** The next time that the clock of a zone shows this. */
export function nextClockTime(hour: number, minute: number, zone: Zone, now: number): number {
  const today = wallTime(now, zone);
  // Within its own minute it has just come: a minute more, not a day.
  if (today.hour === hour && today.minute === minute) return now - (now % 60_000) + 60_000;
  const clock = { hour, minute, second: 0 };
  const at = momentOf({ ...today, ...clock }, zone);
  return at > now ? at : momentOf(inDays(today, 1, clock), zone);
}

function inDays({ year, month, day }: WallTime, days: number, clock: Clock): WallTime {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    ...clock,
  };
}
