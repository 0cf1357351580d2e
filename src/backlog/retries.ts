import { createHash } from 'node:crypto';

/** Why a task failed, as far as trying again is concerned. */
export type FailureCategory =
  | 'env'
  | 'setup'
  | 'permission'
  | 'noop'
  | 'policy'
  | 'test'
  | 'flaky'
  | 'model'
  | 'model-loop';

/** How often a failed task is tried again by itself; a person can always requeue it. */
const RETRIES: { readonly [category in FailureCategory]: number } = {
  env: 5,
  setup: 3,
  permission: 0,
  noop: 0,
  policy: 3,
  test: 3,
  flaky: 6,
  model: 3,
  'model-loop': 1,
};

export function mayRetry(category: FailureCategory, attempts: number): boolean {
  return attempts <= RETRIES[category];
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
