/** What became of one test. A test that is still to be written counts as skipped. */
export type TestOutcome = 'passed' | 'failed' | 'skipped';

/** Types, not interfaces, so that an inventory is a JSON value. */
export type TestEntry = {
  /** With the names of the suites around it, outermost first. */
  readonly name: string;
  readonly outcome: TestOutcome;
  readonly file?: string;
  /** The file itself could not be run: nothing is known about the tests in it. */
  readonly load?: true;
};

export type TestCounts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** What one run of a command says about its tests; `how` tells how much of it is known. */
export type Inventory =
  | { readonly how: 'report'; readonly runner: string; readonly tests: readonly TestEntry[] }
  | { readonly how: 'counts'; readonly counts: TestCounts }
  | { readonly how: 'exit code' };

export const EXIT_CODE_ONLY: Inventory = { how: 'exit code' };

/** Between the name of a suite and what is in it. */
export const WITHIN = ' > ';

export function countsOf(inventory: Inventory): TestCounts | undefined {
  if (inventory.how === 'counts') return inventory.counts;
  if (inventory.how === 'exit code') return undefined;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { outcome } of inventory.tests) counts[outcome]++;
  return counts;
}

/** For people: `41 tests, 2 skipped (from vitest's report)`. */
export function describeInventory(inventory: Inventory): string {
  const counts = countsOf(inventory);
  if (!counts) return 'only the exit code is known';
  const { passed, failed, skipped } = counts;
  const parts = [
    `${passed + failed + skipped} tests`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  const source = inventory.how === 'report' ? `from the report of ${inventory.runner}` : 'from its summary';
  return `${parts.join(', ')} (${source})`;
}
