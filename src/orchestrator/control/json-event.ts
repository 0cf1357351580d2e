import type { Action } from '../../kernel/action.ts';
import { LoopwrightError, type ProblemKind } from '../../kernel/errors.ts';
import type { EngineEvent } from '../events.ts';

type Changed = 'step.started' | 'task.output' | 'session.failed';
type Of<T extends EngineEvent['type']> = Extract<EngineEvent, { readonly type: T }>;

/**
 * An event as plain JSON, as it leaves the process. The context of a step is left out, because it repeats the history
 * and would make the stream grow with the square of the steps; the raw bytes of a terminal are in its log.
 */
export type JsonEvent =
  | Exclude<EngineEvent, { readonly type: Changed }>
  | Omit<Of<'step.started'>, 'context'>
  | Omit<Of<'task.output'>, 'raw'>
  | (Omit<Of<'session.failed'>, 'error'> & { readonly error: JsonProblem });

/** What went wrong, of a kind that a face can act on. */
export interface JsonProblem {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly next?: Action;
}

export function jsonEvent(event: EngineEvent): JsonEvent {
  if (event.type === 'step.started') {
    const { context: _repeated, ...rest } = event;
    return rest;
  }
  if (event.type === 'task.output') {
    const { raw: _painted, ...rest } = event;
    return rest;
  }
  if (event.type === 'session.failed') return { ...event, error: jsonProblem(event.error) };
  return event;
}

function jsonProblem(error: Error): JsonProblem {
  const { message } = error;
  if (!(error instanceof LoopwrightError)) return { kind: 'internal', message };
  return { kind: error.kind, message, ...(error.next ? { next: error.next } : {}) };
}
