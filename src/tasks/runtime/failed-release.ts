import type { Artifact, Release } from '../../backlog/release.ts';
import type { FailureClass } from '../../backlog/retries.ts';
import { LoopwrightError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { FinalState } from '../../orchestrator/final-state.ts';
import type { HaltReason } from '../../orchestrator/state/record.ts';
import { UnheldBudgetError } from '../../workers/agent/uncounted.ts';
import { outcomeIn } from '../../workers/task-flow/segments.ts';
import { NotReadyError } from '../prepare/dependencies.ts';
import { classOfAgentRun, classOfRework } from './failure-class.ts';
import { AgentMissingError } from './require-agents.ts';

/** What of a run is stored with it. */
export interface Kept {
  readonly outcome: JsonObject;
  readonly artifacts: readonly Artifact[];
}

/** Steps of a task were finished and are gone: starting over would be paid again, and nobody asked for it. */
export class SessionMissingError extends LoopwrightError {
  constructor(session: string) {
    super(`The folder of session ${session} is gone, and the finished steps of the task with it.`, {
      next: 'Put the folder back, or put the task back in line: it then starts over.',
    });
  }
}

/** Halts that ask for rework, each with its class. */
const HALTS: ReadonlyMap<HaltReason, FailureClass> = new Map([
  ['budget', 'permission'],
  ['limit', 'model_loop'],
  ['gate', 'test'],
  ['question', 'permission'],
  ['tampered', 'permission'],
  ['emptied', 'permission'],
  ['flaky', 'flaky'],
  ['unproven', 'permission'],
]);

/** What becomes of a task whose session has halted. */
export function halted({ halt, payload }: FinalState, kept: Kept): Release {
  const outcome = outcomeIn(payload);
  if (outcome?.outcome === 'needs_rework') {
    const { code = 'needs_rework', reason = code } = outcome;
    return rework(code, classOfRework(code, payload), { reason, ...kept });
  }
  if (outcome?.outcome === 'delivery_failed') {
    const { reason = 'The work could not be delivered.' } = outcome;
    return { state: 'failed', failureCode: 'delivery_failed', failureClass: 'env', reason, ...kept };
  }
  const message = halt?.message ?? 'it halted';
  if (halt?.reason === 'files')
    return { state: 'failed', failureCode: 'files_not_kept', failureClass: 'env', reason: message, ...kept };
  const failureClass = halt ? HALTS.get(halt.reason) : undefined;
  if (halt && failureClass) {
    const isBudget = halt.reason === 'budget';
    const waitsFor = isBudget
      ? 'a person: give it a larger budget, then put it back in line'
      : 'a person: look at it, then requeue it with what it should know';
    const code = isBudget ? 'budget_spent' : `halted_${halt.reason}`;
    return rework(code, failureClass, { reason: message, waitsFor, ...kept });
  }
  const error = payload.findLast(({ type }) => type === 'ERROR')?.content;
  const reason = typeof error === 'string' ? error : message;
  const agentClass = classOfAgentRun(payload) ?? 'model';
  return { state: 'failed', failureCode: 'agent_failed', failureClass: agentClass, reason, ...kept };
}

/** What becomes of a task whose run broke. */
export function failedWith(error: Error, kept: Partial<Kept>): Release {
  const next = error instanceof LoopwrightError ? error.next : undefined;
  const reason = next === undefined ? error.message : `${error.message} ${next.label}`;
  if (error instanceof SessionMissingError) {
    const waitsFor = 'a person: put its session back, or put it back in line to start over';
    return rework('session_missing', 'permission', { reason, waitsFor });
  }
  if (error instanceof NotReadyError) return rework('setup_missing', 'setup', { reason, ...kept });
  if (error instanceof UnheldBudgetError) {
    const waitsFor = 'a person: give it a budget that can be held, then put it back in line';
    return rework('budget_unheld', 'permission', { reason, waitsFor, ...kept });
  }
  const isMissing = error instanceof AgentMissingError;
  const failure = isMissing
    ? ({ failureCode: 'agent_missing', failureClass: 'setup' } as const)
    : ({ failureCode: 'error', failureClass: 'env' } as const);
  return { state: 'failed', ...failure, reason, ...kept };
}

function rework(
  failureCode: string,
  failureClass: FailureClass,
  rest: Partial<Kept> & { readonly reason: string; readonly waitsFor?: string },
): Release {
  return { state: 'blocked', block: 'needs_rework', failureCode, failureClass, runState: 'failed', ...rest };
}
