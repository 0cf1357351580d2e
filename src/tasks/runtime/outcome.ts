import type { Artifact, Release } from '../../backlog/release.ts';
import { StorageError } from '../../kernel/errors.ts';
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
import {
  allowedPathsIn,
  DELIVERY,
  inspectedIn,
  outcomeIn,
  PATHS_DISCARDED,
  pathsIn,
  reportIn,
} from '../../workers/task-flow/segments.ts';
import { failedWith, halted, type Kept } from './failed-release.ts';

/** What a session came to, or why there is none. */
export type SessionEnd =
  | { readonly state: FinalState }
  | { readonly error: Error; readonly state?: FinalState }
  /** Stopped before there was a session. */
  | { readonly stopped: string };

export interface ReleaseTerms {
  /** How long a task waits for room on the disk. */
  readonly restMs: number;
  /** It changes the user's own files: a person looks at them before it is tried again by itself. */
  readonly inPlace: boolean;
}

/**
 * What becomes of a task when its session ends. Quota always parks; verification and
 * policy ask for rework; a session that was only interrupted goes back in line; everything else has failed.
 */
export function releaseOf(end: SessionEnd, terms: ReleaseTerms): Release {
  const release = plainReleaseOf(end, terms);
  if (!('failureClass' in release)) return release;
  const { failureClass, outcome = {} } = release;
  const known = { ...release, outcome: { ...outcome, class: failureClass, why: release.reason } };
  return known.state === 'blocked' && terms.inPlace ? { ...known, byPerson: true } : known;
}

function plainReleaseOf(end: SessionEnd, terms: ReleaseTerms): Release {
  if ('stopped' in end) return { state: 'queued', reason: end.stopped };
  if ('error' in end) {
    if (isDiskFull(end.error)) return roomless(end.error, terms);
    return failedWith(end.error, end.state ? keptOf(end.state) : {});
  }
  const { state } = end;
  const evidence = keptOf(state);
  if (state.status === 'completed') return completed(state, evidence);
  if (state.status === 'parked') {
    const reason = state.reason ?? 'the quota of its agent is spent';
    const agent = state.parkedFor ?? undefined;
    const until = state.parkedUntil ?? 0;
    return {
      state: 'blocked',
      block: 'quota_wait',
      cause: state.parkedCause ?? 'quota',
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

function keptOf(state: FinalState): Kept {
  return { outcome: evidenceOf(state), artifacts: artifactsIn(state.payload) };
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

/** Other refusals of storage, such as missing rights, do not pass by themselves: they fail, a few times. */
function isDiskFull(error: Error): error is StorageError {
  return error instanceof StorageError && error.reason === 'full';
}

/** A full disk is no fault of the task: it continues its session, from the last step that was written. */
function roomless({ message, next }: StorageError, { restMs }: ReleaseTerms): Release {
  const waitsFor = 'room on the disk';
  return { state: 'queued', reason: `${message} ${next?.label ?? ''}`.trim(), restMs, waitsFor };
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
