import { stripVTControlCharacters } from 'node:util';
import { visible } from './visible.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `870 ms`, `4.2 s`, `3m 07s`, `2h 05m`. */
export function duration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE - 50) return `${(ms / SECOND).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND);
  if (ms < HOUR) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  return `${Math.floor(ms / HOUR)}h ${two(Math.floor((ms % HOUR) / MINUTE))}m`;
}

/** How long ago, in the largest unit that fits. */
export function age(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.round(ms / SECOND))}s ago`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)}m ago`;
  if (ms < 2 * DAY) return `${Math.round(ms / HOUR)}h ago`;
  return `${Math.round(ms / DAY)}d ago`;
}

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = size / 1000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** `a`, `a or b`, `a, b or c`. */
export function choice(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** One line of plain text, whatever it held: what came from outside must not move the cursor. */
export function oneLine(text: string): string {
  return plain(text).replace(/\s+/g, ' ').trim();
}

/** Text without escape sequences; what else a terminal would obey is shown by its number. */
export function plain(text: string): string {
  return visible(stripVTControlCharacters(text).replaceAll('\r', ''));
}

export function clip(text: string, width: number): string {
  const letters = Array.from(text);
  return letters.length <= width ? text : `${letters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

export function indent(text: string, by = '  '): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? line : by + line))
    .join('\n');
}

export function choiceWords(choices: readonly string[]): string {
  return choices.length === 0
    ? ''
    : ` (${choices.map((words, index) => `${index + 1} ${oneLine(words)}`).join(', ')})`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}

/** An amount of money that is never shown as nothing while it is something: `0.0045`, `0.13`, `12.00`. */
export function money(usd: number): string {
  if (usd === 0 || usd >= 0.1) return usd.toFixed(2);
  return usd < 0.0001 ? '<0.0001' : String(Number(usd.toFixed(4)));
}
