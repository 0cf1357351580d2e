import type { Emitter } from '../../kernel/events.ts';
import type { ProgressNote, TaskNote } from '../../manifest/progress-note.ts';
import type { ResolvedBlock } from '../../manifest/resolved.ts';
import { LIMIT_REACHED } from '../../manifest/worker.ts';
import type { EngineEvent, TaskStatusChanged } from '../events.ts';
import type { JournalRecord } from '../state/record.ts';
import type { SessionState } from '../state/session-state.ts';
import { segmentsOf } from '../state/stored-segments.ts';
import type { Assembled } from './assemble-context.ts';
import type { StepListener } from './step-run.ts';

/** Tells the watchers what a record changed; called after it is in the journal, never before. */
export function announce(
  events: Emitter<EngineEvent>,
  before: SessionState,
  after: SessionState,
  record: JournalRecord,
  error?: Error,
): void {
  const session = after.id;
  const entry = after.trail.at(-1);
  if (record.t === 'step' && entry) {
    if (record.signal === LIMIT_REACHED) {
      events.emit({ session, type: 'limit.reached', block: record.block, message: limitMessage(after) });
    }
    const { dropped = [] } = record;
    const added = segmentsOf(record.added);
    events.emit({ session, type: 'step.finished', entry, added, dropped, used: after.used });
  }
  if (before.status !== after.status) announceStatus(events, after, error);
}

export function announceStatus(events: Emitter<EngineEvent>, state: SessionState, error?: Error): void {
  const session = state.id;
  if (state.status === 'halted' && state.halt) {
    events.emit({ session, type: 'session.halted', halt: state.halt });
  } else if (state.status === 'parked') {
    const { parkedUntil, parkedFor, parkedCause, statusReason } = state;
    events.emit({
      session,
      type: 'session.parked',
      until: parkedUntil ?? 0,
      reason: statusReason ?? '',
      ...(parkedFor === null ? {} : { agent: parkedFor }),
      ...(parkedCause === null ? {} : { cause: parkedCause }),
    });
  } else if (state.status === 'completed') {
    const { used, outcome } = state;
    events.emit({ session, type: 'session.completed', used, ...(outcome === null ? {} : { outcome }) });
  } else if (state.status === 'failed') {
    events.emit({ session, type: 'session.failed', error: error ?? new Error(state.error?.message) });
  } else if (state.status === 'aborted') {
    events.emit({ session, type: 'session.aborted', reason: state.statusReason ?? '' });
  }
}

export function stepStarted(state: SessionState, block: ResolvedBlock, assembled: Assembled): EngineEvent {
  const { context } = assembled;
  return {
    session: state.id,
    type: 'step.started',
    step: state.step + 1,
    block: block.id,
    worker: block.worker,
    context,
  };
}

export function stepListener(
  events: Emitter<EngineEvent>,
  state: SessionState,
  block: ResolvedBlock,
): StepListener {
  const where = { session: state.id, step: state.step + 1, block: block.id };
  return {
    output: (text) => events.emit({ ...where, type: 'step.output', text }),
    progress(note) {
      events.emit({ ...where, type: 'step.progressed', note });
      const changed = taskChange(note);
      if (changed) events.emit({ ...where, ...changed });
    },
    near: (message) => events.emit({ session: state.id, type: 'budget.near', message }),
    tell: (event) => events.emit({ ...where, ...event }),
    usage: (usage, total) => events.emit({ ...where, type: 'usage.added', usage, total }),
  };
}

function limitMessage(state: SessionState): string {
  return state.halt?.message ?? 'its transition for that is taken';
}

function taskChange(note: ProgressNote): TaskStatusChanged | undefined {
  if (note.type !== 'task') return undefined;
  const problem = problemOf(note);
  return {
    type: 'task.status',
    task: note.task,
    status: note.status,
    exit: note.status === 'DONE' ? note.exit : {},
    ...(problem === undefined ? {} : { problem }),
  };
}

function problemOf(note: TaskNote): string | undefined {
  if (note.status === 'ERROR') return note.problem;
  return note.status === 'DONE' ? note.result?.problem : undefined;
}
