import { basename, join } from 'node:path';
import { errorMessage, LoopwrightError } from '../../kernel/errors.ts';
import { Emitter, type EventStream } from '../../kernel/events.ts';
import type { StepIndex, StepRow } from '../../orchestrator/state/files/step-index.ts';
import type { ProjectSessions } from '../open.ts';
import { type SessionSummary, summaryNow, type UnreadableSession } from '../sessions/summaries.ts';
import { HotFolders } from './hot-folders.ts';
import { foldersWithin, stampOf } from './session-places.ts';
import { StepIndexes } from './step-indexes.ts';

/** What happens to the sessions of a project, whoever runs them. */
export type SessionChange =
  | { readonly type: 'session.changed'; readonly session: SessionSummary | UnreadableSession }
  | { readonly type: 'session.removed'; readonly id: string }
  /** Only the first rows still count: it was taken over or taken back. */
  | { readonly type: 'session.rebased'; readonly id: string; readonly rows: number }
  | { readonly type: 'step.finished'; readonly id: string; readonly row: StepRow }
  | { readonly type: 'session.unreadable'; readonly id: string; readonly problem: string }
  /** It could not look; it looks again when that is due. */
  | { readonly type: 'feed.failed'; readonly what: string };

interface Known {
  summary: SessionSummary | UnreadableSession;
  told: string;
  stamp: string;
  readonly since: number;
}

const HOT_EVERY_MS = 250;
const UNWATCHED_EVERY_MS = 100;
const ALIVE_EVERY_MS = 1000;
const COLD_EVERY_MS = 2000;
/** A folder without a record becomes a session within moments, or never. */
const NEW_MS = 10_000;
/** A session in one of these changes without anybody asking for it. */
const MOVING: ReadonlySet<string> = new Set(['running', 'waiting', 'parked']);

/**
 * Follows all sessions of a project. Invariants:
 * 1. What a session is told to be is what its files say at that moment; nothing is told twice in a row.
 * 2. Steps are told only of sessions that somebody looks at, each once and in order.
 * 3. A session that cannot be read is told as such; the others go on.
 */
export class SessionFeed {
  readonly events: EventStream<SessionChange>;
  readonly indexes: StepIndexes;
  readonly #emitter = new Emitter<SessionChange>();
  readonly #opened: ProjectSessions;
  readonly #root: string;
  readonly #known = new Map<string, Known>();
  /** Those that are looked at often. */
  readonly #hot = new Set<string>();
  readonly #looks = new Map<string, number>();
  readonly #folders = new HotFolders((folder) => this.#folderChanged(folder));
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #broken = new Map<string, string>();

  constructor(opened: ProjectSessions) {
    this.#opened = opened;
    this.#root = opened.project.sessions;
    this.events = this.#emitter;
    this.indexes = new StepIndexes(this.#root);
    this.#folders.add(this.#root);
    this.#lookForFolders();
    this.#every(HOT_EVERY_MS, () => this.#lookAtHot(() => true));
    this.#every(UNWATCHED_EVERY_MS, () => this.#lookAtUnwatched());
    this.#every(ALIVE_EVERY_MS, () => this.#askOwners());
    this.#every(COLD_EVERY_MS, () => this.#lookForFolders());
  }

  /** Newest first. */
  sessions(): readonly (SessionSummary | UnreadableSession)[] {
    return [...this.#known].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, { summary }]) => summary);
  }

  isOwned(id: string): boolean {
    const summary = this.#known.get(id)?.summary;
    return summary !== undefined && 'ownerAlive' in summary && summary.ownerAlive;
  }

  /** Somebody looks at a session: its steps are told from now on, until they look away. */
  look(id: string): () => void {
    this.#looks.set(id, (this.#looks.get(id) ?? 0) + 1);
    this.indexes.hold(id);
    this.#extend(id, { quiet: true });
    this.#refresh(id);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = (this.#looks.get(id) ?? 1) - 1;
      if (left > 0) this.#looks.set(id, left);
      else this.#looks.delete(id);
      this.indexes.release(id);
      const known = this.#known.get(id);
      if (known) this.#warm(id, known);
    };
  }

  /** The steps of a session as its journal has them now. */
  steps(id: string): StepIndex {
    // Whoever looks at it is told of what is found here first.
    if (this.#looks.has(id)) this.#extend(id);
    return this.indexes.extended(id).index;
  }

  /** Looks at everything now, instead of when it is due. */
  lookNow(): void {
    this.#lookForFolders();
    this.#lookAtHot(() => true);
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#folders.close();
  }

  #every(ms: number, look: () => void): void {
    const timer = setInterval(() => this.#guarded(look), ms);
    timer.unref();
    this.#timers.push(timer);
  }

  /** Whoever serves a project goes on serving it, whatever the disk says. */
  #guarded(look: () => void): void {
    try {
      look();
    } catch (error) {
      this.#emitter.emit({ type: 'feed.failed', what: errorMessage(error) });
    }
  }

  #folder(id: string): string {
    return join(this.#root, id);
  }

  #folderChanged(folder: string): void {
    this.#guarded(() => {
      if (folder === this.#root) this.#lookForFolders();
      else this.#refresh(basename(folder));
    });
  }

  #lookForFolders(): void {
    const ids = new Set(foldersWithin(this.#root));
    // The root itself may have come, or come back, meanwhile.
    if (ids.size > 0 || this.#known.size > 0) this.#folders.add(this.#root);
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#removed(id);
    for (const id of ids) {
      const known = this.#known.get(id);
      if (!this.#hot.has(id) && known?.stamp !== this.#stamp(id)) this.#refresh(id);
    }
  }

  #lookAtUnwatched(): void {
    this.#lookAtHot((id) => !this.#folders.has(this.#folder(id)));
  }

  #lookAtHot(wanted: (id: string) => boolean): void {
    for (const id of this.#hot) {
      if (wanted(id) && this.#known.get(id)?.stamp !== this.#stamp(id)) this.#refresh(id);
    }
  }

  #askOwners(): void {
    for (const id of this.#hot) if (this.isOwned(id)) this.#refresh(id);
  }

  #stamp(id: string): string {
    const summary = this.#known.get(id)?.summary;
    return stampOf(this.#folder(id), summary && 'epoch' in summary ? summary.epoch : 1);
  }

  /** Reads a session again and tells what is new about it. */
  #refresh(id: string): void {
    const stamp = this.#stamp(id);
    if (stamp === '') return this.#removed(id);
    if (this.#looks.has(id)) this.#extend(id);
    const summary = summaryNow(this.#opened, id);
    const told = JSON.stringify(summary);
    const before = this.#known.get(id);
    const known = { summary, told, stamp, since: before?.since ?? performance.now() };
    this.#known.set(id, known);
    this.#warm(id, known);
    if (before?.told !== told) this.#emitter.emit({ type: 'session.changed', session: summary });
  }

  #warm(id: string, known: Known): void {
    const { summary, since } = known;
    const moves = 'problem' in summary ? performance.now() - since < NEW_MS : MOVING.has(summary.status);
    if (this.#looks.has(id) || moves) {
      this.#hot.add(id);
      this.#folders.add(this.#folder(id));
    } else {
      this.#hot.delete(id);
      this.#folders.remove(this.#folder(id));
    }
  }

  #removed(id: string): void {
    this.#folders.remove(this.#folder(id));
    this.#hot.delete(id);
    if (!this.#known.delete(id)) return;
    this.indexes.forget(id);
    this.#emitter.emit({ type: 'session.removed', id });
  }

  #extend(id: string, { quiet = false } = {}): void {
    try {
      const before = this.indexes.sizeOf(id);
      const { index, extended } = this.indexes.extended(id);
      if (quiet || extended.removed) return;
      const from = extended.rebased ? extended.kept : before;
      if (extended.rebased) this.#emitter.emit({ type: 'session.rebased', id, rows: extended.kept });
      for (let row = from; row < index.size; row++) {
        this.#emitter.emit({ type: 'step.finished', id, row: index.row(row) });
      }
    } catch (error) {
      if (!(error instanceof LoopwrightError)) throw error;
      const problem = errorMessage(error);
      if (!quiet && this.#broken.get(id) !== problem)
        this.#emitter.emit({ type: 'session.unreadable', id, problem });
      this.#broken.set(id, problem);
    }
  }
}
