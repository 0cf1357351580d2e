import { plain } from '../kernel/words.ts';

const HEAD = 15;
const TAIL = 45;
/** Lines that name a failure in between are kept, up to this many. */
const NAMED = 40;
/** What one line, and all of it, may have. */
const LONGEST_LINE = 400;
const MOST = 12_000;

/** What test runners, compilers and interpreters begin a failure with. */
const FAILURE =
  /^\s*(?:not ok\b|✗|✖|×|FAIL\b|FAILED\b|ERROR\b|E\s{2,}|--- FAIL|panicked at|thread '.*' panicked)|\b(?:\w*Error|Exception|AssertionError|expected|failed)\b/i;

/**
 * A log cut to what shows a failure: its beginning, its end and the lines between that name one, each gap with how
 * much is left out. A short log stays whole.
 */
export function logExcerpt(log: string): string {
  const lines = plain(log).trim().split('\n').map(shortened);
  const keeps = keptLines(lines);
  const shown: string[] = [];
  let gap = 0;
  for (const [index, line] of lines.entries()) {
    if (!keeps.has(index)) {
      gap++;
      continue;
    }
    if (gap > 0) shown.push(gapWords(gap));
    gap = 0;
    shown.push(line);
  }
  return withinSize(shown.join('\n'));
}

function keptLines(lines: readonly string[]): ReadonlySet<number> {
  const all = lines.map((_, index) => index);
  if (lines.length <= HEAD + TAIL) return new Set(all);
  const middle = all.slice(HEAD, -TAIL).filter((index) => FAILURE.test(lines[index] ?? ''));
  return new Set([...all.slice(0, HEAD), ...middle.slice(0, NAMED), ...all.slice(-TAIL)]);
}

function shortened(line: string): string {
  const text = line.trimEnd();
  return text.length <= LONGEST_LINE ? text : `${text.slice(0, LONGEST_LINE)}...`;
}

/** The end tells most, so the beginning gives way. */
function withinSize(text: string): string {
  return text.length <= MOST
    ? text
    : `[... ${text.length - MOST} characters left out ...]\n${text.slice(-MOST)}`;
}

function gapWords(lines: number): string {
  return `[... ${lines} lines left out ...]`;
}
