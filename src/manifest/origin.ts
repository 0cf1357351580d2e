import type { ContextSegment } from './segment.ts';

/** Whose word a segment is: the engine's own workers, a person, or somebody whose word is no fact. */
export type OriginKind = 'engine' | 'person' | 'agent' | 'model' | 'program';

/** Who runs behind a worker's name. A worker that says nothing of itself is a program. */
export type WorkerKind = Exclude<OriginKind, 'person'>;

/** Set by the engine when a segment enters the history; whatever a worker put there is replaced. */
export interface Origin {
  readonly kind: OriginKind;
  /** Null: it was there before the first block, or a person said it between two blocks. */
  readonly block: string | null;
  readonly worker: string | null;
}

/** What the engine found out before the first block ran. */
export const BY_ENGINE: Origin = { kind: 'engine', block: null, worker: null };
export const BY_PERSON: Origin = { kind: 'person', block: null, worker: null };

export function withOrigin<S extends ContextSegment>(segment: S, origin: Origin): S & { origin: Origin } {
  return Object.freeze({ ...segment, origin });
}

/** Words that only the engine's workers use, since other blocks act on them. */
const ENGINE_TYPES: ReadonlySet<string> = new Set([
  'AGENT_RUN',
  'BASELINE',
  'COMMANDS_THAT_NEVER_FAIL',
  'DELIVERY',
  'EARLIER_FAILURES',
  'EXPECTED_FILES',
  'NOTHING_FOUND',
  'NO_CHANGE_ACCEPTED',
  'OUTCOME',
  'PATHS_ALLOWED',
  'PATHS_DENIED',
  'PATHS_DISCARDED',
  'PATHS_NAMED',
  'STATIC_MEMORY',
  'SUSPICIOUS_CHANGE',
  'TASK_OUTPUT',
  'TEST_EVIDENCE',
  'TESTS_MAY_CHANGE',
  'VALIDATION_ERROR',
  'VALIDATION_RESULT',
  'VERIFICATION',
  'VERIFICATION_FAILURE',
]);

/** Results of checks: a program may be what tests a project, an agent may not say that it was tested. */
const CHECK_TYPES: ReadonlySet<string> = new Set(['BUILD_RESULT', 'LINT_RESULT', 'TEST_RESULT']);

/** Words of a person; the engine passes them on. */
const PERSON_TYPES: ReadonlySet<string> = new Set(['HUMAN_ANSWER', 'HUMAN_GUIDANCE']);

/** Who alone may write segments of a type; undefined: anybody. */
export function reservedFor(type: string): 'engine' | 'person' | undefined {
  if (ENGINE_TYPES.has(type) || CHECK_TYPES.has(type)) return 'engine';
  return PERSON_TYPES.has(type) ? 'person' : undefined;
}

/** Why somebody's segment of a type is refused; undefined: it is theirs to write. */
export function whyReserved(type: string, kind: OriginKind): string | undefined {
  const owner = reservedFor(type);
  if (owner === undefined || owner === kind || (kind === 'program' && CHECK_TYPES.has(type)))
    return undefined;
  return `claims to be ${type}, which only ${owner === 'engine' ? 'loopwright itself' : 'a person'} writes`;
}

/** Journals of earlier versions name no origin; nothing enters a history without one today. */
function isBy(segment: ContextSegment, kind: 'engine' | 'person'): boolean {
  return segment.origin === undefined || segment.origin.kind === kind;
}

/** A segment of this type that is the word of whoever alone may write it. */
export function isGenuine(segment: ContextSegment, type: string): boolean {
  if (segment.type !== type) return false;
  const owner = reservedFor(type);
  return owner === undefined || isBy(segment, owner);
}
