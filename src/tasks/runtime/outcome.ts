import type { Artifact, Release } from '../../backlog/release.ts';
import { LoopwrightError, StorageError } from '../../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import type { ExecutionPayload } from '../../manifest/segment.ts';
import type { FinalState } from '../../orchestrator/final-state.ts';
import { describeFailure } from '../../verification/report.ts';
import {
  hardChanges,
  latestSuspicious,
  type SuspiciousChange,
  suspiciousLine,
} from '../../verification/suspicious/segment.ts';
import { UnheldBudgetError } from '../../workers/agent/uncounted.ts';
import {
  allowedPathsIn,
  DELIVERY,
  inspectedIn,
  outcomeIn,
  PATHS_DISCARDED,
  pathsIn,
  reportIn,
} from '../../workers/task-flow/segments.ts';
import { NotReadyError } from '../prepare/dependencies.ts';
import { AgentMissingError } from './require-agents.ts';

/** What a session came to, or why there is none. */
export type SessionEnd =
  | { readonly state: FinalState }
  | { readonly error: Error; readonly state?: FinalState }
  /** Stopped before there was a session. */
  | { readonly stopped: string };

/** Steps of a task were finished and are gone: starting over would be paid again, and nobody asked for it. */
export class SessionMissingError extends LoopwrightError {
  constructor(session: string) {
    super(`The folder of session ${session} is gone, and the finished steps of the task with it.`, {
      next: 'Put the folder back, or put the task back in line: it then starts over.',
    });
  }
}

/** How long a task waits for room on the disk. */
export interface Rest {
  readonly restMs: number;
}

/**
 * What becomes of a task when its session ends. Quota always parks; verification and
 * policy ask for rework; a session that was only interrupted goes back in line; everything else has failed.
 */
export function releaseOf(end: SessionEnd, rest: Rest): Release {
  if ('stopped' in end) return { state: 'queued', reason: end.stopped };
  if ('error' in end) {
    return isDiskFull(end.error) ? roomless(end.error, rest) : failedWith(end.error, end.state);
  }
  const { state } = end;
  const evidence = { outcome: evidenceOf(state), artifacts: artifactsIn(state.payload) };
  if (state.status === 'completed') return completed(state, evidence);
  if (state.status === 'parked') {
    const reason = state.reason ?? 'the quota of its agent is spent';
    const agent = state.parkedFor ?? undefined;
    const until = state.parkedUntil ?? 0;
    return {
      state: 'blocked',
      block: 'quota_wait',
      until,
      reason,
      ...(agent === undefined ? { waitsFor: reason } : { agent }),
      ...evidence,
    };
  }
  if (state.status === 'aborted')
    return { state: 'cancelled', reason: 'the session was aborted', ...evidence };
  if (state.halt?.reason === 'interrupted')
    return { state: 'queued', reason: 'stopped before it was finished', ...evidence };
  return halted(state, evidence);
}

interface Kept {
  readonly outcome: JsonObject;
  readonly artifacts: readonly Artifact[];
}

function completed({ payload }: FinalState, kept: Kept): Release {
  const delivery = deliveryIn(payload);
  const said = outcomeIn(payload);
  const outcome =
    said?.outcome === 'nothing_found'
      ? `nothing was found: ${said.reason ?? 'it does not say why'}`
      : [said?.outcome ?? 'finished', said?.reason].filter(Boolean).join(', ');
  const hard = hardIn(payload);
  if (delivery?.['review'] === true || hard.length > 0) {
    const waitsFor = 'your verdict: approve it, or ask for a rework with notes';
    const marked = hard.length === 0 ? '' : `, suspicious: ${hard.map(suspiciousLine).join('; ')}`;
    return {
      state: 'blocked',
      block: 'awaiting_judge',
      reason: `${outcome}, delivered for review${marked}`,
      waitsFor,
      ...(hard.length === 0 ? {} : { failureCode: SUSPICIOUS }),
      ...kept,
    };
  }
  return { state: 'done', reason: outcome, ...kept };
}

/** Of a task that delivered: what it did to its checks needs a person's reason. */
export const SUSPICIOUS = 'suspicious';

/** What the work did to its own checks, as far as somebody must answer for it. */
function hardIn(payload: ExecutionPayload): SuspiciousChange[] {
  const found = latestSuspicious(payload);
  return found ? hardChanges(found) : [];
}

function halted({ halt, payload }: FinalState, kept: Kept): Release {
  const outcome = outcomeIn(payload);
  if (outcome?.outcome === 'needs_rework') {
    const { code = 'needs_rework', reason = code } = outcome;
    const waitsFor = 'a person: look at it, then requeue it with what it should know';
    return {
      state: 'blocked',
      block: 'needs_rework',
      failureCode: code,
      reason,
      waitsFor,
      runState: 'failed',
      ...kept,
    };
  }
  if (outcome?.outcome === 'delivery_failed') {
    const { reason = 'The work could not be delivered.' } = outcome;
    return { state: 'failed', failureCode: 'delivery_failed', category: 'env', reason, ...kept };
  }
  const message = halt?.message ?? 'it halted';
  if (halt?.reason === 'files')
    return { state: 'failed', failureCode: 'files_not_kept', category: 'env', reason: message, ...kept };
  if (
    halt?.reason === 'budget' ||
    halt?.reason === 'limit' ||
    halt?.reason === 'gate' ||
    halt?.reason === 'question' ||
    halt?.reason === 'tampered' ||
    halt?.reason === 'emptied' ||
    halt?.reason === 'flaky' ||
    halt?.reason === 'unproven'
  ) {
    const failureCode = halt.reason === 'budget' ? 'budget_spent' : `halted_${halt.reason}`;
    return {
      state: 'blocked',
      block: 'needs_rework',
      failureCode,
      reason: message,
      waitsFor:
        halt.reason === 'budget'
          ? 'a person: give it a larger budget, then put it back in line'
          : 'a person: look at it, then requeue it with what it should know',
      runState: 'failed',
      ...kept,
    };
  }
  const error = payload.findLast(({ type }) => type === 'ERROR')?.content;
  const reason = typeof error === 'string' ? error : message;
  return { state: 'failed', failureCode: 'agent_failed', category: 'model', reason, ...kept };
}

/** Other refusals of storage, such as missing rights, do not pass by themselves: they fail, a few times. */
function isDiskFull(error: Error): error is StorageError {
  return error instanceof StorageError && error.reason === 'full';
}

/** A full disk is no fault of the task: it continues its session, from the last step that was written. */
function roomless({ message, next }: StorageError, { restMs }: Rest): Release {
  const waitsFor = 'room on the disk';
  return { state: 'queued', reason: `${message} ${next?.label ?? ''}`.trim(), restMs, waitsFor };
}

function failedWith(error: Error, state: FinalState | undefined): Release {
  const kept = state ? { outcome: evidenceOf(state), artifacts: artifactsIn(state.payload) } : {};
  const next = error instanceof LoopwrightError ? error.next : undefined;
  const reason = next === undefined ? error.message : `${error.message} ${next.label}`;
  if (error instanceof SessionMissingError) {
    const waitsFor = 'a person: put its session back, or put it back in line to start over';
    return { state: 'blocked', block: 'needs_rework', failureCode: 'session_missing', reason, waitsFor };
  }
  if (error instanceof NotReadyError) {
    const waitsFor = 'a person: correct how its worktree is set up, then put it back in line';
    return {
      state: 'blocked',
      block: 'needs_rework',
      failureCode: 'setup_missing',
      reason,
      waitsFor,
      ...kept,
    };
  }
  if (error instanceof UnheldBudgetError) {
    const waitsFor = 'a person: give it a budget that can be held, then put it back in line';
    return {
      state: 'blocked',
      block: 'needs_rework',
      failureCode: 'budget_unheld',
      reason,
      waitsFor,
      ...kept,
    };
  }
  if (error instanceof AgentMissingError)
    return { state: 'failed', failureCode: 'agent_missing', category: 'setup', reason, ...kept };
  return { state: 'failed', failureCode: 'error', category: 'env', reason, ...kept };
}

/** Everything that shows what was done and what was proven; stored with the run. */
function evidenceOf({ payload, used, sessionId, trail }: FinalState): JsonObject {
  const report = reportIn(payload);
  const outcome = outcomeIn(payload);
  const allowed = allowedPathsIn(payload);
  const suspicious = latestSuspicious(payload);
  const inspected = inspectedIn(payload);
  const discarded = pathsIn(payload, PATHS_DISCARDED);
  return {
    session: sessionId,
    steps: trail.length,
    used: { ...used },
    ...(outcome ? { outcome: { ...outcome } } : {}),
    ...(report ? { report } : {}),
    ...(report && report.result !== 'verified' ? { failure: describeFailure(report) } : {}),
    ...(suspicious && suspicious.found.length > 0 ? { suspicious } : {}),
    ...(inspected === undefined ? {} : { inspected }),
    ...(allowed.length === 0 ? {} : { allowed }),
    ...(discarded.length === 0 ? {} : { discarded }),
  };
}

function deliveryIn(payload: ExecutionPayload): JsonObject | undefined {
  const content = payload.findLast((segment) => isGenuine(segment, DELIVERY))?.content;
  return isJsonObject(content) ? content : undefined;
}

function artifactsIn(payload: ExecutionPayload): Artifact[] {
  const list = deliveryIn(payload)?.['artifacts'];
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry): Artifact[] => {
    if (!isJsonObject(entry) || typeof entry['type'] !== 'string') return [];
    const { type, ref, data, ...rest } = entry;
    const known = isJsonObject(data) ? data : rest;
    return [
      {
        type,
        ref: typeof ref === 'string' ? ref : '',
        ...(Object.keys(known).length === 0 ? {} : { data: known }),
      },
    ];
  });
}
