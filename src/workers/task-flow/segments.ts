import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import type { ContextSegment, ExecutionPayload } from '../../manifest/segment.ts';
import type { Baseline } from '../../verification/baseline.ts';
import type { ExpectedFiles } from '../../verification/expected-files.ts';
import type { VerificationReport } from '../../verification/report.ts';
import { TEST_EVIDENCE } from '../../verification/suspicious/segment.ts';

/** What the blocks of a task's flow tell each other, and the caller when the session has ended. */
export const VERIFICATION = 'VERIFICATION';
export const EXPECTED_FILES = 'EXPECTED_FILES';
export const NO_CHANGE_ACCEPTED = 'NO_CHANGE_ACCEPTED';
export const PATHS_ALLOWED = 'PATHS_ALLOWED';
export const PATHS_DISCARDED = 'PATHS_DISCARDED';
export const PATHS_DENIED = 'PATHS_DENIED';
export const OUTCOME = 'OUTCOME';
export const DELIVERY = 'DELIVERY';

/** The last word about a task; the newest one counts. */
export type TaskOutcome = {
  readonly outcome:
    | 'verified'
    | 'unverified'
    | 'planned'
    | 'no_op'
    | 'nothing_found'
    | 'delivery_failed'
    | 'needs_rework';
  /** Of `needs_rework`: `policy_violation`, `verification_failed`, `no_actionable_changes`, `nothing_found`, `suspicious_change`. */
  readonly code?: string;
  /** For people: which paths, which command, what it said. */
  readonly reason?: string;
};

export function outcomeIn(payload: ExecutionPayload): TaskOutcome | undefined {
  return latest(payload, OUTCOME) as TaskOutcome | undefined;
}

/** The evidence of the newest pass. */
export function reportIn(payload: ExecutionPayload): VerificationReport | undefined {
  const content = latest(payload, VERIFICATION);
  return content && readReport(content);
}

/** What was found out last about the checks themselves. */
export function inspectedIn(payload: ExecutionPayload): JsonObject | undefined {
  return latest(payload, TEST_EVIDENCE);
}

/** The evidence of every pass so far, oldest first. */
export function reportsIn(payload: ExecutionPayload): VerificationReport[] {
  return payload.flatMap((segment) => reportOf(segment) ?? []);
}

/** The report that a segment holds, if it is one of a pass. */
export function reportOf(segment: ContextSegment): VerificationReport | undefined {
  const { content } = segment;
  if (!isGenuine(segment, VERIFICATION) || !isJsonObject(content)) return undefined;
  return readReport(content);
}

/** What an earlier version recorded has fewer lists: one that it did not know is empty. */
function readReport(content: JsonObject): VerificationReport {
  return { ...NOTHING_KNOWN, ...content } as VerificationReport;
}

const NOTHING_KNOWN: Omit<VerificationReport, 'result'> = {
  changes: { changed: [], added: [], removed: [] },
  dropped: [],
  leftBehind: [],
  violations: [],
  commands: [],
  probes: [],
  missingFiles: [],
  redBefore: [],
  notes: [],
};

/** What the commands of all passes left behind. */
export function leftBehindIn(payload: ExecutionPayload): string[] {
  const reports = payload.filter((segment) => isGenuine(segment, VERIFICATION));
  return reports.flatMap(({ content }) =>
    isJsonObject(content) && Array.isArray(content.leftBehind) ? content.leftBehind.map(String) : [],
  );
}

export function expectedFilesIn(payload: ExecutionPayload): ExpectedFiles | undefined {
  return latest(payload, EXPECTED_FILES) as ExpectedFiles | undefined;
}

export function baselineIn(payload: ExecutionPayload): Baseline | undefined {
  return latest(payload, 'BASELINE') as Baseline | undefined;
}

export function acceptsNoChange(payload: ExecutionPayload): boolean {
  return payload.some((segment) => isGenuine(segment, NO_CHANGE_ACCEPTED));
}

/** All paths that recoveries added to those of the task. */
export function allowedPathsIn(payload: ExecutionPayload): string[] {
  return pathsIn(payload, PATHS_ALLOWED);
}

export function deniedPathsIn(payload: ExecutionPayload): string[] {
  return pathsIn(payload, PATHS_DENIED);
}

export function pathsIn(payload: ExecutionPayload, type: string): string[] {
  const lists = payload.flatMap((segment) => (isGenuine(segment, type) ? [segment.content] : []));
  const paths = lists.flatMap((content) =>
    isJsonObject(content) && Array.isArray(content.paths) ? content.paths : [],
  );
  return [...new Set(paths.filter((path) => typeof path === 'string'))];
}

/** Only what our own workers wrote counts, so the content has the shape that its type promises. */
function latest(payload: ExecutionPayload, type: string): JsonObject | undefined {
  const content = payload.findLast((segment) => isGenuine(segment, type))?.content;
  return isJsonObject(content) ? content : undefined;
}
