import type { SuspiciousChange } from './segment.ts';

/** What a person said beforehand about the checks of a piece of work. */
export interface Leniency {
  /** Paths that a person allowed, each by its own name. */
  readonly opened: readonly string[];
  /** The goal is about tests. */
  readonly testsMayChange: boolean;
  /** Tests are the work of whoever did it: edits are theirs, removals and skips are not. */
  readonly ownsTests: boolean;
  /** What is found is told, and nobody has to look. */
  readonly onlyTold: boolean;
}

/** About the file itself: whoever named it knew that it would change. */
const OF_THE_FILE = new Set([
  'ci_changed',
  'test_settings_changed',
  'check_changed',
  'snapshot_rewritten',
  'test_data_changed',
]);
const OF_TESTS = new Set([
  'test_removed',
  'test_skipped',
  'old_test_red',
  'more_skipped',
  'fewer_tests',
  'snapshot_rewritten',
  'test_data_changed',
  'test_settings_changed',
]);
const OF_EDITS = new Set(['old_test_red']);

/** The findings as they weigh with what a person has said; nothing is hidden, a hard one at most becomes soft. */
export function weighed(found: readonly SuspiciousChange[], leniency: Leniency): SuspiciousChange[] {
  const opened = new Set(leniency.opened.map((path) => path.replace(/^\.\//, '')));
  return found.map((change) => {
    const { rule, path } = change;
    const isKnown =
      leniency.onlyTold ||
      (opened.has(path) && OF_THE_FILE.has(rule)) ||
      (leniency.testsMayChange && OF_TESTS.has(rule)) ||
      (leniency.ownsTests && OF_EDITS.has(rule));
    return isKnown ? { ...change, weight: 'soft' } : change;
  });
}
