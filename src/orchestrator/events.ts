import type { WaitCause } from '../kernel/wait-cause.ts';
import type { ProgressNote } from '../manifest/progress-note.ts';
import type { ContextSegment } from '../manifest/segment.ts';
import type { TaskEvent, TaskExit, TaskStatus } from '../manifest/task.ts';
import type { Usage, WorkerContext } from '../manifest/worker.ts';
import type { Waiting } from './engine/admission-port.ts';
import type { Halt, SessionOutcome } from './state/record.ts';
import type { TrailEntry, Used } from './state/session-state.ts';

/** Everything a display needs, in the order it happens. */
export type EngineEvent = { readonly session: string } & (
  | { readonly type: 'session.started'; readonly goal: string; readonly at: string }
  | { readonly type: 'session.continued'; readonly how: 'resume' | 'retry'; readonly at: string | null }
  | {
      readonly type: 'step.started';
      readonly step: number;
      readonly block: string;
      readonly worker: string;
      readonly context: WorkerContext;
    }
  | { readonly type: 'step.output'; readonly step: number; readonly block: string; readonly text: string }
  | {
      readonly type: 'step.progressed';
      readonly step: number;
      readonly block: string;
      readonly note: ProgressNote;
    }
  | ({ readonly step: number; readonly block: string } & (TaskEvent | TaskStatusChanged))
  | {
      readonly type: 'usage.added';
      readonly step: number;
      readonly block: string;
      readonly usage: Usage;
      readonly total: Used;
    }
  | {
      readonly type: 'step.finished';
      readonly entry: TrailEntry;
      readonly added: readonly ContextSegment[];
      readonly dropped: readonly string[];
      readonly used: Used;
    }
  /** Other terminals can reach its tasks from now on, or never will and why. */
  | { readonly type: 'session.reachable'; readonly socket?: string; readonly problem?: string }
  | { readonly type: 'session.waiting'; readonly waiting: Waiting }
  /** Most of what all sessions of the project together may use is used. */
  | { readonly type: 'budget.near'; readonly message: string }
  | { readonly type: 'limit.reached'; readonly block: string; readonly message: string }
  | { readonly type: 'session.halted'; readonly halt: Halt }
  | {
      readonly type: 'session.parked';
      readonly until: number;
      readonly reason: string;
      /** The one that cannot work before then. */
      readonly agent?: string;
      readonly cause?: WaitCause;
    }
  | { readonly type: 'session.completed'; readonly used: Used; readonly outcome?: SessionOutcome }
  | { readonly type: 'session.failed'; readonly error: Error }
  | { readonly type: 'session.aborted'; readonly reason: string }
);

/** Already in the journal when it is emitted. */
export interface TaskStatusChanged {
  readonly type: 'task.status';
  readonly task: string;
  readonly status: TaskStatus;
  readonly exit: TaskExit;
  /** Why it is in ERROR, or has ended without having done what it should. */
  readonly problem?: string;
}
