import { FAIL_DEFAULT, LIMIT_REACHED, SUCCESS } from '../../api/segment.ts';
import { broken, pad, size } from '../../kernel/text-width.ts';
import { clip, duration, oneLine } from '../../kernel/words.ts';
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

export interface StepLayout {
  readonly style: Style;
  /** Of the widest block. */
  readonly width: number;
  /** How wide a line may be. */
  readonly most?: number;
}

/** Mark, number and the spaces around them: where the name of the block begins. */
const INDENT = 7;

/** A finished step as one line, or as two where the window is narrow. */
export function finishedLine(
  entry: TrailEntry,
  attempt: number,
  { style, width, most = Number.POSITIVE_INFINITY }: StepLayout,
): string {
  const { dim } = style;
  const number = entry.ran ? String(entry.step).padStart(3) : '  -';
  const signal = shortSignal(entry.signal).padEnd(8);
  const time = entry.ran ? duration(entry.ms).padStart(7) : 'not run'.padStart(7);
  const block = oneLine(entry.block);
  const again = attempt > 1 && entry.ran ? ` (attempt ${attempt})` : '';
  const then = `→ ${leadsTo(entry)}${again}`;
  const begin = (name: string): string => `${markOf(entry.signal, style)} ${dim(number)}  ${name}`;
  const named = INDENT + size(pad(block, width));
  const wide = named + size(`  ${signal} ${time}`);
  if (wide + 2 + size(then) <= most)
    return `${begin(pad(block, width))}  ${signal} ${dim(time)}  ${dim('→')} ${leadsTo(entry)}${dim(again)}`;
  const below = (text: string): string[] =>
    broken(text, Math.max(1, most - INDENT)).map((line) => ' '.repeat(INDENT) + dim(line));
  return (
    wide <= most
      ? [`${begin(pad(block, width))}  ${signal} ${dim(time)}`, ...below(then)]
      : [begin(clip(block, most - INDENT)), ...below(`${signal.trim()} ${time.trim()} ${then}`)]
  ).join('\n');
}

/** Nobody should wait without knowing for what. */
export function withReason(text: string, reason: string): string {
  return reason === '' ? text : `${text}: ${reason}`;
}
