import { createHash } from 'node:crypto';

/** Why an attempt failed, as far as trying again is concerned. */
export const FAILURE_CLASSES = [
  'env',
  'setup',
  'permission',
  'policy',
  'noop',
  'test',
  'flaky',
  'model',
  'model_loop',
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

interface ClassRule {
  /** How often it is tried again by itself; a person can always put it back in line. */
  readonly retries: number;
  /** Its first rest, in rests as they are configured, and how much longer each further one is. */
  readonly rests: number;
  readonly grows: number;
  /** What it waits for once it is not tried again. */
  readonly next: string;
}

const CLASSES: { readonly [name in FailureClass]: ClassRule } = {
  env: {
    retries: 5,
    rests: 1,
    grows: 2,
    next: 'a person: put right what the machine or a service lacks, then put it back in line',
  },
  setup: {
    retries: 3,
    rests: 2,
    grows: 2,
    next: 'a person: correct how its worktree is set up, then put it back in line',
  },
  permission: {
    retries: 0,
    rests: 1,
    grows: 1,
    next: 'a person: give what it lacks (a login, a permission, a larger budget), then put it back in line',
  },
  policy: {
    retries: 3,
    rests: 1,
    grows: 1,
    next: 'a person: allow the paths it needs or say how it can do without them, then put it back in line',
  },
  noop: {
    retries: 0,
    rests: 1,
    grows: 1,
    next: 'a person: say what should change, then put it back in line',
  },
  test: {
    retries: 3,
    rests: 1,
    grows: 1,
    next: 'a person: look at it, then requeue it with what it should know',
  },
  flaky: {
    retries: 6,
    rests: 1,
    grows: 1,
    next: 'a person: make its checks say the same every time, then put it back in line',
  },
  model: {
    retries: 3,
    rests: 1,
    grows: 2,
    next: 'a person: look at what its agent said, then put it back in line, perhaps with another agent',
  },
  model_loop: {
    retries: 1,
    rests: 4,
    grows: 1,
    next: 'a person: say how to get out of the circle, then requeue it with that',
  },
};

/** How often a task has failed in each class since a person put it in line. */
export type FailureCounts = { readonly [name in FailureClass]?: number };

export interface RetryLimits {
  /** How often a task is tried again by itself altogether. */
  readonly mostRetries: number;
}

/** The counts with one more failure. */
export function countFailure(counts: FailureCounts, name: FailureClass): FailureCounts {
  return { ...counts, [name]: (counts[name] ?? 0) + 1 };
}

/** Whether a task with these failures, the last of this class among them, is tried again by itself. */
export function mayRetry(name: FailureClass, counts: FailureCounts, { mostRetries }: RetryLimits): boolean {
  const total = FAILURE_CLASSES.reduce((sum, each) => sum + (counts[each] ?? 0), 0);
  return (counts[name] ?? 0) <= CLASSES[name].retries && total <= mostRetries;
}

/** How long a task rests after its n-th failure of a class (1 for the first). */
export function restAfterMs(name: FailureClass, failures: number, restMs: number): number {
  const { rests, grows } = CLASSES[name];
  return Math.min(Math.max(CAP_MS, restMs), restMs * rests * grows ** Math.max(0, failures - 1));
}

/** What a failure of this class waits for when it is not tried again. */
export function nextStepOf(name: FailureClass): string {
  return CLASSES[name].next;
}

const BASE_MS = 30_000;
const CAP_MS = 30 * 60_000;
/** A quarter of the delay at most, so that tasks which hit a limit together do not come back together. */
const JITTER = 0.25;

/**
 * How long a task waits after its n-th quota hit in a row (0 for the first): the larger of a growing delay and
 * what the provider says. The provider's word is taken as it is; otherwise each task has its own, fixed jitter.
 */
export function quotaDelayMs(task: string, hits: number, hintMs?: number): number {
  const grown = grownDelayMs(hits);
  if (hintMs !== undefined && hintMs >= grown) return hintMs;
  return Math.round(grown * (1 + JITTER * fraction(`${task}:${hits}`)));
}

/** From half a minute, twice as long each time, to half an hour. */
export function grownDelayMs(hits: number): number {
  return Math.min(CAP_MS, BASE_MS * 2 ** Math.min(hits, 30));
}

function fraction(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}
