import { join } from 'node:path';
import type { TaskState } from '../../backlog/words.ts';
import { NotFoundError } from '../../kernel/errors.ts';
import type { EventStream } from '../../kernel/events.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { StepRow } from '../../orchestrator/state/files/step-index.ts';
import type { Mark } from '../../orchestrator/state/files/step-marks.ts';
import type { StepRecord } from '../../orchestrator/state/record.ts';
import { segmentsOf } from '../../orchestrator/state/stored-segments.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from '../sessions/list.ts';
import type { SessionSummary, UnreadableSession } from '../sessions/summaries.ts';
import { type BacklogChange, BacklogFeed } from './backlog-feed.ts';
import { type LogEntry, type LogForm, type LogHits, type LogPage, LogShelf } from './log-shelf.ts';
import { watchLog } from './log-watch.ts';
import { type SessionChange, SessionFeed } from './session-feed.ts';

export type { BacklogChange, SessionChange };

export interface StepQuery {
  /** Only rows before this one. */
  readonly before?: number;
  readonly limit?: number;
  readonly block?: string;
  readonly signal?: string;
}

export interface StepPage {
  /** Oldest first. */
  readonly steps: readonly StepRow[];
  /** How many rows there are in all. */
  readonly rows: number;
  /** Where the page before this one ends; null when this is the first. */
  readonly before: number | null;
  readonly marks: readonly Mark[];
}

export interface StepDetail {
  readonly row: StepRow;
  readonly record: StepRecord;
  /** What the block added to the history. */
  readonly added: readonly ContextSegment[];
}

export interface LogQuery {
  readonly line?: number;
  readonly limit?: number;
  readonly as?: LogForm;
}

/** All that happens in a project, for as long as somebody wants to know. */
export interface Following {
  readonly sessionEvents: EventStream<SessionChange>;
  readonly backlogEvents: EventStream<BacklogChange>;
  /** Newest first, as they were told last. */
  sessions(): readonly (SessionSummary | UnreadableSession)[];
  /** How many tasks there are in each state. */
  taskCounts(): Promise<{ readonly [state in TaskState]: number }>;
  look(id: string): () => void;
  /** Whether a living process runs it, as was told last. */
  isOwned(id: string): boolean;
  /** The manifest that a session runs on. */
  manifest(written: string): ResolvedManifest;
  /** A page of the steps of a session, the newest without an end. */
  steps(written: string, query?: StepQuery): StepPage;
  /** What the journal says of one step. */
  stepRecord(written: string, step: number): StepDetail;
  /** The logs of a session. */
  logs(written: string): { readonly session: string; readonly logs: readonly LogEntry[] };
  /** A window over one log; its end where no line is named. */
  logPage(written: string, name: string, query?: LogQuery): LogPage;
  logSearch(written: string, name: string, wanted: string): LogHits;
  /** Tells how long a log is whenever it has grown. */
  watchLog(id: string, name: string, tell: (size: { lines: number; bytes: number }) => void): () => void;
  /** Bytes that the indexes take. */
  indexBytes(): number;
  /** Looks at everything now, instead of when it is due. */
  lookNow(): Promise<void>;
  close(): void;
}

const PAGE = 200;

export async function follow(opened: OpenProject): Promise<Following> {
  const sessions = new SessionFeed(opened);
  const backlog = new BacklogFeed(opened.project);
  const shelf = new LogShelf(opened);
  const find = (written: string) => findSession(opened.sessions, written);
  const indexOf = (written: string) => sessions.steps(find(written));
  return {
    sessionEvents: sessions.events,
    backlogEvents: backlog.events,
    sessions: () => sessions.sessions(),
    taskCounts: async () => {
      await backlog.lookNow();
      return backlog.counts();
    },
    look: (id) => sessions.look(id),
    isOwned: (id) => sessions.isOwned(id),
    manifest: (written) => {
      const id = find(written);
      // Of a long session only this is read: its steps say when it took up another one.
      const taken = sessions.steps(id).marks.findLast(({ kind }) => kind === 'manifest');
      return opened.sessions.manifest(id, taken?.what);
    },
    steps: (written, query = {}) => pageOf(indexOf(written), query),
    stepRecord: (written, step) => {
      const index = indexOf(written);
      const row = index.rowOf(step);
      if (row === undefined) throw new NotFoundError(`Session ${written} has no step ${step}.`);
      const record = index.record(row);
      return { row: index.row(row), record, added: segmentsOf(record.added) };
    },
    logs: (written) => {
      const session = find(written);
      return { session, logs: shelf.list(session) };
    },
    logPage: (written, name, { line, limit = PAGE, as = 'words' } = {}) =>
      shelf.page(find(written), name, { limit, as, ...(line === undefined ? {} : { line }) }),
    logSearch: (written, name, wanted) => shelf.search(find(written), name, wanted),
    watchLog: (id, name, tell) => {
      const session = find(id);
      const size = () => shelf.sizeOf(session, name);
      const folder = join(opened.project.sessions, session, 'logs');
      return watchLog(
        folder,
        () => JSON.stringify(size()),
        () => tell(size()),
      );
    },
    indexBytes: () => sessions.indexes.bytes,
    lookNow: async () => {
      sessions.lookNow();
      await backlog.lookNow();
    },
    close: () => {
      sessions.close();
      backlog.close();
    },
  };
}

interface Rows {
  readonly size: number;
  readonly marks: readonly Mark[];
  row(row: number): StepRow;
}

/** From its end backwards, until the page is full. */
function pageOf(index: Rows, { before, limit = PAGE, block, signal }: StepQuery): StepPage {
  const steps: StepRow[] = [];
  let row = Math.min(before ?? index.size, index.size);
  while (row > 0 && steps.length < limit) {
    row--;
    const one = index.row(row);
    const fits =
      (block === undefined || one.block === block) && (signal === undefined || one.signal === signal);
    if (fits) steps.push(one);
  }
  return { steps: steps.reverse(), rows: index.size, before: row === 0 ? null : row, marks: index.marks };
}
