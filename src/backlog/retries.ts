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
