/** A place whose clock a time is told by: undefined is this machine. */
export type Zone = { readonly name: string } | { readonly offsetMinutes: number } | undefined;

/** What a clock on the wall shows. Months begin with 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** People write PST in summer too: a name stands for the place, and the place knows its summer time. */
const PLACES: { readonly [name: string]: string } = {
  PT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  'PACIFIC TIME': 'America/Los_Angeles',
  PACIFIC: 'America/Los_Angeles',
  MT: 'America/Denver',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  CT: 'America/Chicago',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  ET: 'America/New_York',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  'EASTERN TIME': 'America/New_York',
  WET: 'Europe/Lisbon',
  WEST: 'Europe/Lisbon',
  BST: 'Europe/London',
  CET: 'Europe/Berlin',
  CEST: 'Europe/Berlin',
  EET: 'Europe/Athens',
  EEST: 'Europe/Athens',
  IST: 'Asia/Kolkata',
  SGT: 'Asia/Singapore',
  HKT: 'Asia/Hong_Kong',
  JST: 'Asia/Tokyo',
  KST: 'Asia/Seoul',
  AEST: 'Australia/Sydney',
  AEDT: 'Australia/Sydney',
  NZST: 'Pacific/Auckland',
  NZDT: 'Pacific/Auckland',
  UTC: 'UTC',
  GMT: 'UTC',
  Z: 'UTC',
};

const OFFSET = /^(?:UTC|GMT)?\s*([+-])(\d{1,2}):?(\d{2})?$/i;

/** The zone of a word such as `UTC`, `+02:00`, `GMT-5`, `PST` or `Europe/Berlin`; undefined where it is none. */
export function zoneOf(word: string): Exclude<Zone, undefined> | undefined {
  const text = word.trim();
  const [, sign, hours, minutes = '0'] = OFFSET.exec(text) ?? [];
  if (hours !== undefined) {
    const size = Number(hours) * 60 + Number(minutes);
    return { offsetMinutes: sign === '-' ? -size : size };
  }
  const name = PLACES[text.toUpperCase()] ?? text;
  return isZone(name) ? { name } : undefined;
}

function isZone(name: string): boolean {
  if (!/^[A-Z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** What the clock of a zone shows at a moment. */
export function wallTime(at: number, zone: Zone): WallTime {
  if (zone !== undefined && 'offsetMinutes' in zone) return utcWall(at + zone.offsetMinutes * 60_000);
  const parts = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
    ...(zone === undefined ? {} : { timeZone: zone.name }),
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  return {
    year: of('year'),
    month: of('month'),
    day: of('day'),
    hour: of('hour'),
    minute: of('minute'),
    second: of('second'),
  };
}

/**
 * The moment at which the clock of a zone shows that. Where the clock is put forward over it, the moment after; where
 * it shows it twice, the first.
 */
export function momentOf(wall: WallTime, zone: Zone): number {
  const shown = asIfUtc(wall);
  const guesses = [-86_400_000, 86_400_000].map((around) => shown - offsetMs(shown + around, zone));
  const exact = guesses.filter((guess) => asIfUtc(wallTime(guess, zone)) === shown);
  return Math.min(...(exact.length > 0 ? exact : [Math.max(...guesses)]));
}

function offsetMs(at: number, zone: Zone): number {
  const whole = Math.floor(at / 1000) * 1000;
  return asIfUtc(wallTime(whole, zone)) - whole;
}

function asIfUtc({ year, month, day, hour, minute, second }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function utcWall(at: number): WallTime {
  const date = new Date(at);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}
