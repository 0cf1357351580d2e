import { countsOf, type Inventory, type TestEntry } from '../tests/inventory.ts';
import type { SuspiciousChange } from './segment.ts';

/** Where a finding belongs whose test names no file. */
const SOMEWHERE = '(tests)';

/** CHT-02: tests that the base has and the delivered tree has not. A test that moved keeps its name. */
export function removedTests(base: Inventory, delivered: Inventory): SuspiciousChange[] {
  if (base.how !== 'report' || delivered.how !== 'report') return [];
  const there = new Set(delivered.tests.map(({ name }) => name));
  return base.tests.flatMap((test): SuspiciousChange[] => {
    if (there.has(test.name) || test.load) return [];
    const what = `the test "${test.name}" is gone; on the base it ${WAS[test.outcome]}`;
    return [finding('test_removed', test, what)];
  });
}

const WAS = { passed: 'passed', failed: 'failed', skipped: 'was skipped' } as const;

/** CHT-08: a test that ran on the base and is skipped now, and fewer tests than there were. */
export function lessTested(base: Inventory, delivered: Inventory): SuspiciousChange[] {
  const [before, now] = [countsOf(base), countsOf(delivered)];
  if (!before || !now) return [];
  const total = (counts: typeof before) => counts.passed + counts.failed + counts.skipped;
  const found: SuspiciousChange[] = [];
  if (now.skipped > before.skipped) {
    const what = `${now.skipped} tests are skipped; on the base there were ${before.skipped}`;
    found.push({ rule: 'more_skipped', weight: 'hard', path: SOMEWHERE, what });
  }
  if (total(now) < total(before)) {
    const what = `${total(now)} tests were found; on the base there were ${total(before)}`;
    found.push({ rule: 'fewer_tests', weight: 'hard', path: SOMEWHERE, what });
  }
  return found;
}

/** One run of the base's tests on the delivered code. */
export interface OldTestsRun {
  readonly green: boolean;
  readonly inventory: Inventory;
}

/** CHT-03: the base's tests that are red on the delivered code. */
export function oldTestsRed(
  run: OldTestsRun,
  base: OldTestsRun | undefined,
  touched: readonly string[] = [],
): SuspiciousChange[] {
  if (run.green) return [];
  if (run.inventory.how !== 'report') {
    const what = 'as the base has it, the tests fail on the delivered code';
    const paths = touched.length === 0 ? [SOMEWHERE] : touched;
    return paths.map((path) => ({ rule: 'old_test_red', weight: 'hard', path, what }));
  }
  const before = outcomes(base?.inventory);
  const red = run.inventory.tests.filter(({ outcome }) => outcome === 'failed');
  const found = red.map((test): SuspiciousChange => {
    const was = before?.get(test.name);
    const story =
      was === 'failed'
        ? 'failed on the base and still fails on the delivered code in the form that the base has it'
        : 'fails on the delivered code in the form that the base has it';
    return finding('old_test_red', test, `${test.load ? test.name : `the test "${test.name}"`} ${story}`);
  });
  if (found.length > 0) return found;
  const what = 'the tests as the base has them fail on the delivered code, though no single one is named';
  return [{ rule: 'old_test_red', weight: 'hard', path: SOMEWHERE, what }];
}

/** CHT-04: how a new or changed test fares on the old code. */
export type RedGreen = { readonly test: string; readonly kind: 'red_assertion' | 'red_load' };

/** Tests that are red on the old code and green on the new one: what the change does is shown by them. */
export function redToGreen(oldCode: Inventory, delivered: Inventory): RedGreen[] {
  if (oldCode.how !== 'report' || delivered.how !== 'report') return [];
  const now = outcomes(delivered);
  const named = oldCode.tests.flatMap(({ name, outcome, load }): RedGreen[] =>
    outcome === 'failed' && !load && now?.get(name) === 'passed'
      ? [{ test: name, kind: 'red_assertion' }]
      : [],
  );
  const unloaded = oldCode.tests.filter(({ load }) => load);
  return [...named, ...unloaded.map(({ name }): RedGreen => ({ test: name, kind: 'red_load' }))];
}

/** New tests that pass on the old code too: they show nothing about the change. */
export function provesNothing(base: Inventory, oldCode: Inventory, delivered: Inventory): SuspiciousChange[] {
  if (base.how !== 'report' || oldCode.how !== 'report' || delivered.how !== 'report') return [];
  const [before, old] = [outcomes(base), outcomes(oldCode)];
  return delivered.tests.flatMap((test): SuspiciousChange[] => {
    if (test.outcome !== 'passed' || before?.has(test.name) || old?.get(test.name) !== 'passed') return [];
    const what = `the new test "${test.name}" passes without the change too`;
    return [finding('test_proves_nothing', test, what, 'soft')];
  });
}

function outcomes(inventory: Inventory | undefined): Map<string, TestEntry['outcome']> | undefined {
  if (inventory?.how !== 'report') return undefined;
  return new Map(inventory.tests.map(({ name, outcome }) => [name, outcome]));
}

function finding(
  rule: string,
  { name, file }: TestEntry,
  what: string,
  weight: 'hard' | 'soft' = 'hard',
): SuspiciousChange {
  return { rule, weight, path: file ?? SOMEWHERE, what, test: name };
}
