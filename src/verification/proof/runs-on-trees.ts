import { type ChangedFile, isOfChecks } from '../suspicious/changed-files.ts';
import { lessTested, oldTestsRed, provesNothing, redToGreen, removedTests } from '../suspicious/compare.ts';
import type { SuspiciousChange } from '../suspicious/segment.ts';
import { describeInventory, EXIT_CODE_ONLY, type Inventory } from '../tests/inventory.ts';
import {
  type InspectInput,
  type OnTree,
  type TestEvidence,
  type TreeRun,
  type TreesPort,
} from './evidence.ts';
import { notReproduced } from './not-reproduced.ts';
import { runTests, type TestCommand, type TestRun } from './run-tests.ts';

export type Tried = Pick<TestEvidence, 'runs' | 'redToGreen' | 'found' | 'notes' | 'log'>;
type Place = TreeRun['on'];

export interface Ports {
  readonly trees: TreesPort;
  readonly on: OnTree;
}

/** Runs the commands on the three trees, and on the base where only that tells whose doing a red test is. */
export async function runsOnTrees(
  input: InspectInput,
  files: readonly ChangedFile[],
  ports: Ports,
): Promise<Tried> {
  const all: Tried[] = [];
  for (const command of input.commands) all.push(await tryCommand(command, input, files, ports));
  const logs = all.flatMap(({ log }) => (log === undefined ? [] : [log]));
  return {
    runs: all.flatMap(({ runs }) => runs),
    redToGreen: all.flatMap((tried) => tried.redToGreen),
    found: all.flatMap(({ found }) => found),
    notes: all.flatMap(({ notes }) => notes),
    ...(logs.length === 0 ? {} : { log: logs.join('\n') }),
  };
}

async function tryCommand(
  command: TestCommand,
  input: InspectInput,
  files: readonly ChangedFile[],
  ports: Ports,
): Promise<Tried> {
  const { trees } = ports;
  const { base, delivered } = input;
  const runs: TreeRun[] = [];
  const on = async (place: Place, tree: string): Promise<TestRun> => {
    const run = await runOn(command, tree, input, ports.on);
    runs.push(treeRun(run, place, tree));
    return run;
  };
  const now = await on('delivered', delivered);
  // What there was to run, and whether it can be run in a fresh checkout at all, only the base can tell.
  const before = await on('base', base);
  if (!now.green) return { runs, redToGreen: [], ...notReproduced(now, before, input) };
  const checks = files.filter(isOfChecks);
  const withOldTests = await trees.mixed(delivered, base, [...pathsOf(checks), ...snapshotsOf(files)]);
  // Where no check was touched it is the same tree; then only the base can tell what there was to run.
  const old = withOldTests === delivered ? now : await on('old tests on new code', withOldTests);
  const names = before.inventory;
  const found = [
    ...removedTests(names, now.inventory),
    ...lessTested(names, now.inventory),
    ...oldTestsRed(
      old,
      before,
      checks.map(({ path }) => path),
    ),
  ];
  const shown = await newTestsOnOldCode({ input, files, trees, on, now: now.inventory, names });
  return {
    runs,
    redToGreen: shown.redToGreen,
    found: [...withoutCounts(found), ...shown.found],
    notes: [],
    ...(old.green ? {} : { log: old.said }),
  };
}

/** One command on one tree; what is known of the two already is not found out again. */
export async function runOn(
  command: TestCommand,
  tree: string,
  { reports, remembered }: Pick<InspectInput, 'reports' | 'remembered'>,
  on: OnTree,
): Promise<TestRun> {
  const key = `${tree} ${command.line}`;
  const known = remembered?.get(key);
  if (known) return known;
  const run = await on(tree, (root, start) => runTests(command, root, start, reports));
  remembered?.set(key, run);
  return run;
}

export function treeRun({ command, green, inventory }: TestRun, on: Place, tree: string): TreeRun {
  return { command, on, tree, green, tests: describeInventory(inventory) };
}

/** Fewer tests say no more than the names of those that are gone. */
function withoutCounts(found: readonly SuspiciousChange[]): SuspiciousChange[] {
  const isNamed = found.some(({ rule }) => rule === 'test_removed');
  return found.filter(({ rule }) => !(isNamed && rule === 'fewer_tests'));
}

interface OldCode {
  readonly input: InspectInput;
  readonly files: readonly ChangedFile[];
  readonly trees: TreesPort;
  readonly on: (place: Place, tree: string) => Promise<TestRun>;
  readonly now: Inventory;
  readonly names: Inventory;
}

/** What new and changed tests say about the code as it was: red is the proof that they test the change. */
async function newTestsOnOldCode({
  input: { base, delivered, redGreen },
  files,
  trees,
  on,
  now,
  names,
}: OldCode): Promise<Pick<Tried, 'redToGreen' | 'found'>> {
  const tests = files.filter(({ fileKind, kind }) => fileKind === 'test' && kind !== 'deleted');
  const hasCode = files.some(({ fileKind }) => fileKind === 'source');
  if (!hasCode || now.how === 'exit code') return { redToGreen: [], found: [] };
  if (tests.length === 0) {
    // A test of the base may have been red all along: that shows the change as well.
    return { redToGreen: redGreen ? redToGreen(names, now) : [], found: [] };
  }
  const paths = [...pathsOf(tests), ...snapshotsOf(files)];
  const { inventory } = await on('new tests on old code', await trees.mixed(base, delivered, paths));
  const known = names.how === 'report' ? names : EXIT_CODE_ONLY;
  return { redToGreen: redToGreen(inventory, now), found: provesNothing(known, inventory, now) };
}

/** The paths of files and where they were before, from the top of the repository. */
function pathsOf(files: readonly ChangedFile[]): string[] {
  return files.flatMap(({ top, from }) => [top, ...(from === undefined ? [] : [from])]);
}

/** A snapshot belongs to the form of the test that it was taken of. */
function snapshotsOf(files: readonly ChangedFile[]): string[] {
  const tests = new Set(files.filter(isOfChecks).map(({ path }) => path));
  const own = files.filter(
    ({ fileKind, path }) =>
      fileKind === 'snapshot' && tests.has(path.replace(/__snapshots__\//, '').replace(/\.snap$/, '')),
  );
  return pathsOf(own);
}
