import { basename, dirname } from 'node:path';
import { CorruptSessionError } from '../../../kernel/errors.ts';
import type { JournalRecord, StepRecord, UsageRecord } from '../record.ts';
import type { TrailEntry } from '../session-state.ts';
import type { JournalPosition } from '../store.ts';
import { Columns, Words } from './columns.ts';
import { type Followed, JournalCursor } from './journal-cursor.ts';
import { decodeLine, isWhole, LINE_END } from './line.ts';
import { SessionFolder } from './session-folder.ts';
import { type Mark, markOf } from './step-marks.ts';

/** One entry of the trail with what it cost; `row` numbers them, because a limit that stopped a block has no step. */
export interface StepRow extends TrailEntry {
  readonly row: number;
  /** How often its block had run, with this time. */
  readonly attempt: number;
  /** It changed files, and they were kept. */
  readonly files: boolean;
  readonly tokens: number;
  readonly usd: number;
}

/** What a look at the journal has brought. */
export interface Extended {
  /** So many of the rows that were known before still count. */
  readonly kept: number;
  readonly rebased: boolean;
  readonly removed: boolean;
}

const MATCHED = ['exact', 'default', 'none'] as const;
const MICROS = 1_000_000;
const RAN = 4;
const FILES = 8;

const COLUMNS = {
  epoch: Uint16Array,
  offset: Float64Array,
  at: Float64Array,
  ms: Uint32Array,
  step: Uint32Array,
  attempt: Uint32Array,
  block: Uint16Array,
  signal: Uint16Array,
  action: Uint16Array,
  next: Uint16Array,
  flags: Uint8Array,
  tokens: Uint32Array,
  /** Millionths of a dollar. */
  micros: Uint32Array,
} as const;

/**
 * The steps of a session by column, built once and extended in place. Invariants:
 * 1. Its rows are the trail of the session, in order: what a later epoch does not count is not in it.
 * 2. A row costs the same however much its step added; what it added is read from its place when it is looked at.
 */
export class StepIndex {
  readonly #folder: string;
  readonly #rows = new Columns(COLUMNS);
  readonly #words = new Words();
  readonly #attempts = new Map<string, number>();
  #marks: Mark[] = [];
  #cursor: JournalCursor;
  /** Where the line begins that is read next. */
  #place: JournalPosition = { epoch: 1, offset: 0 };
  #spent = { tokens: 0, usd: 0 };

  constructor(folder: string) {
    this.#folder = folder;
    this.#cursor = new JournalCursor(folder, undefined, { forgets: true });
  }

  get size(): number {
    return this.#rows.size;
  }

  get bytes(): number {
    return this.#rows.bytes;
  }

  /** What happened between the steps, oldest first. */
  get marks(): readonly Mark[] {
    return this.#marks;
  }

  /** Reads what was written since the last time. */
  extend(): Extended {
    const known = this.#rows.size;
    const cut = this.#readOn();
    if (known === 0) this.#rows.fit();
    if (cut === undefined) return { kept: known, rebased: false, removed: false };
    if (cut.type === 'removed') return { kept: 0, rebased: false, removed: true };
    const kept = this.#countedBefore(cut.at, known);
    // Rare, and costs what belongs to which step are then as if it had been read for the first time.
    this.#forget();
    this.#readOn();
    return { kept, rebased: true, removed: false };
  }

  row(row: number): StepRow {
    const of = (name: keyof typeof COLUMNS): number => this.#rows.at(row, name);
    const flags = of('flags');
    return {
      row,
      step: of('step'),
      block: this.#words.textOf(of('block')) ?? '',
      attempt: of('attempt'),
      ran: (flags & RAN) !== 0,
      signal: this.#words.textOf(of('signal')) ?? '',
      matched: MATCHED[flags & 3] ?? 'none',
      action: this.#words.textOf(of('action')),
      next: this.#words.textOf(of('next')),
      ms: of('ms'),
      at: of('at'),
      files: (flags & FILES) !== 0,
      tokens: of('tokens'),
      usd: of('micros') / MICROS,
    };
  }

  /** The row of a step that ran; undefined when there is none. */
  rowOf(step: number): number | undefined {
    // A limit takes no step of its own, so the row of a step is at or behind its number.
    for (let row = Math.max(0, step - 1); row < this.#rows.size; row++) {
      if (this.#rows.at(row, 'step') === step && (this.#rows.at(row, 'flags') & RAN) !== 0) return row;
    }
    return undefined;
  }

  /** All that the journal says of one row, read from its place. */
  record(row: number): StepRecord {
    const files = new SessionFolder(dirname(this.#folder), basename(this.#folder));
    const file = files.journal(this.#rows.at(row, 'epoch'));
    const offset = this.#rows.at(row, 'offset');
    for (let size = 64 * 1024; ; size *= 4) {
      const bytes = files.readFrom(file, offset, size);
      const end = bytes.indexOf(LINE_END);
      if (end < 0 && bytes.length === size) continue;
      if (end < 0 || !isWhole(bytes, 0, end)) throw new CorruptSessionError(`${file} was changed meanwhile.`);
      const record = decodeLine(bytes, 0, end, 'utf8');
      if (record.t !== 'step') throw new CorruptSessionError(`${file} was changed meanwhile.`);
      return record;
    }
  }

  /** Stops at the first thing that takes something back. */
  #readOn(): Extract<Followed, { type: 'cut' | 'removed' }> | undefined {
    for (const followed of this.#cursor.read()) {
      if (followed.type !== 'record') return followed;
      const { record, at } = followed;
      const begins = this.#place.epoch === at.epoch ? this.#place : { epoch: at.epoch, offset: 0 };
      this.#take(record, begins);
      this.#place = at;
    }
    return undefined;
  }

  #take(record: JournalRecord, begins: JournalPosition): void {
    if (record.t === 'step') this.#addStep(record, begins);
    else if (record.t === 'usage') this.#spend(record);
    const mark = markOf(record, this.#rows.size);
    if (mark) this.#marks.push(mark);
  }

  #addStep(record: StepRecord, { epoch, offset }: JournalPosition): void {
    const { step, block, ran, signal, matched, action, next, ms, at, files } = record;
    const attempt = (this.#attempts.get(block) ?? 0) + (ran ? 1 : 0);
    this.#attempts.set(block, attempt);
    const number = (text: string | null): number => this.#words.numberOf(text);
    this.#rows.add({
      epoch,
      offset,
      at,
      ms,
      step,
      attempt,
      block: number(block),
      signal: number(signal),
      action: number(action),
      next: number(next),
      flags: MATCHED.indexOf(matched) | (ran ? RAN : 0) | (files === undefined ? 0 : FILES),
      tokens: this.#spent.tokens,
      micros: Math.round(this.#spent.usd * MICROS),
    });
    this.#spent = { tokens: 0, usd: 0 };
  }

  /** What is used in a step is told before its end. */
  #spend({ tokens = 0, usd = 0 }: UsageRecord): void {
    this.#spent = { tokens: this.#spent.tokens + tokens, usd: this.#spent.usd + usd };
  }

  #countedBefore({ epoch, offset }: JournalPosition, known: number): number {
    let kept = known;
    while (kept > 0 && !this.#isBefore(kept - 1, epoch, offset)) kept--;
    return kept;
  }

  #isBefore(row: number, epoch: number, offset: number): boolean {
    const own = this.#rows.at(row, 'epoch');
    return own < epoch || (own === epoch && this.#rows.at(row, 'offset') < offset);
  }

  #forget(): void {
    this.#rows.clear();
    this.#attempts.clear();
    this.#marks = [];
    this.#place = { epoch: 1, offset: 0 };
    this.#spent = { tokens: 0, usd: 0 };
    this.#cursor = new JournalCursor(this.#folder, undefined, { forgets: true });
  }
}
