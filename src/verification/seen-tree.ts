import { pathsOf } from './changes/relevant-changes.ts';
import { hasPassed, type VerificationReport } from './report.ts';
import type { TaskTree } from './task-tree.ts';

/**
 * Runs the checks on files that stay as they are meanwhile, so that a pass is about the very tree that it names. Where
 * work was rewritten while the commands ran (by a formatter, or by somebody who waited for that), they run once more
 * on what is there now; if that was rewritten again, the report names it.
 */
export async function checkedAsItIs(
  start: VerificationReport,
  tree: TaskTree,
  check: (from: VerificationReport) => Promise<VerificationReport>,
): Promise<VerificationReport> {
  const first = await checkedOnce(start, tree, check);
  if (first.rewritten.length === 0 || !hasPassed(first.report)) return ended(first.report, tree);
  const again = `the commands ran twice, because these changed while they ran: ${first.rewritten.join(', ')}`;
  const { changes, dropped } = first.report;
  const second = await checkedOnce(
    { ...start, changes, dropped, notes: [...start.notes, again] },
    tree,
    check,
  );
  if (second.rewritten.length === 0) return ended(second.report, tree);
  const unseen = `no command has seen these as they are now, because each run changes them: ${second.rewritten.join(', ')}`;
  return ended({ ...second.report, notes: [...second.report.notes, unseen] }, tree);
}

async function checkedOnce(
  start: VerificationReport,
  tree: TaskTree,
  check: (from: VerificationReport) => Promise<VerificationReport>,
): Promise<{ readonly report: VerificationReport; readonly rewritten: readonly string[] }> {
  const before = await tree.identity();
  const report = await check(start);
  // In the user's own folder a file that a test run makes is nothing to take away.
  if (tree.mode !== 'direct') await tree.discard(report.leftBehind);
  const work = new Set(pathsOf(report.changes));
  const differing = await tree.differing(before, await tree.identity());
  return { report, rewritten: differing.filter((path) => work.has(path)) };
}

/** Products that nobody ignores did not count as changes, so they must not be delivered as such either. */
async function ended(report: VerificationReport, tree: TaskTree): Promise<VerificationReport> {
  const products = report.dropped.filter(({ why }) => why !== 'ignored').map(({ path }) => path);
  if (hasPassed(report) && tree.mode !== 'direct' && products.length > 0) await tree.discard(products);
  return { ...report, tree: await tree.identity() };
}
