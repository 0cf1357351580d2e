import { stripVTControlCharacters } from 'node:util';
import { FAIL_DEFAULT, LIMIT_REACHED, SUCCESS } from '../../api/segment.ts';
import { duration, oneLine } from '../../kernel/words.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { SessionView } from '../../project/sessions/view.ts';
import type { Style } from './style.ts';

type TrailEntry = SessionView['trail'][number];

/** Counts how often each block has been run, also over the steps before a resume. */
export class Attempts {
  readonly #counts = new Map<string, number>();

  constructor(trail: readonly TrailEntry[] = []) {
    for (const entry of trail) if (entry.ran) this.finished(entry.block);
  }

  finished(block: string): void {
    this.#counts.set(block, this.next(block));
  }

  /** The number of the attempt that is running or comes next. */
  next(block: string): number {
    return (this.#counts.get(block) ?? 0) + 1;
  }
}

export type Mood = 'good' | 'bad' | 'odd';

export function moodOf(signal: string): Mood {
  if (signal === SUCCESS) return 'good';
  return signal === FAIL_DEFAULT || signal === LIMIT_REACHED || signal.includes('FAIL') ? 'bad' : 'odd';
}

const MARKS = { good: '✓', bad: '✗', odd: '•' } as const;

export function markOf(signal: string, style: Style): string {
  const mood = moodOf(signal);
  const paint = mood === 'good' ? style.green : mood === 'bad' ? style.red : style.yellow;
  return paint(MARKS[mood]);
}

/** A signal is whatever a worker answered. */
export function shortSignal(signal: string): string {
  return oneLine(signal).replace(/^SIGNAL:/, '');
}

/** Where a step led, in words. */
export function leadsTo(entry: Pick<TrailEntry, 'action' | 'next' | 'matched'>): string {
  if (entry.action === 'HALT_AND_FLAG') return 'halt for a person';
  if (entry.next === null) return 'end';
  if (entry.matched === 'none') return 'stop';
  return oneLine(entry.next);
}

export function widestBlock(manifest: ResolvedManifest): number {
  return Math.max(...Object.keys(manifest.blocks).map((id) => id.length));
}

/** A finished step as one line. */
export function finishedLine(
  entry: TrailEntry,
  attempt: number,
  layout: { readonly style: Style; readonly width: number; readonly columns?: number },
): string {
  const { style, width, columns = Number.POSITIVE_INFINITY } = layout;
  const { dim } = style;
  const number = entry.ran ? String(entry.step).padStart(3) : '  -';
  const signal = shortSignal(entry.signal).padEnd(8);
  const time = entry.ran ? duration(entry.ms).padStart(7) : 'not run'.padStart(7);
  const again = attempt > 1 && entry.ran ? dim(` (attempt ${attempt})`) : '';
  const line = `${markOf(entry.signal, style)} ${dim(number)}  ${oneLine(entry.block).padEnd(width)}  ${signal} ${dim(time)}`;
  const whole = `${line}  ${dim('→')} ${leadsTo(entry)}`;
  // The next line says where it led: better that than two lines of one step.
  return `${stripVTControlCharacters(whole).length > columns ? line : whole}${again}`;
}
