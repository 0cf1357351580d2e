import { type ChangedFile, isOfChecks, suspiciousFiles, withKinds } from '../suspicious/changed-files.ts';
import { changedSources, checkSources, type TreeFiles } from '../suspicious/check-sources.ts';
import { lessTested } from '../suspicious/compare.ts';
import { kindsWith } from '../suspicious/file-kinds.ts';
import { weighed } from '../suspicious/leniency.ts';
import { suspiciousLines } from '../suspicious/lines.ts';
import { ownFolderNamed } from '../suspicious/own-folder.ts';
import type { SuspiciousChange } from '../suspicious/segment.ts';
import { changedTestData } from '../suspicious/test-data.ts';
import { describeInventory } from '../tests/inventory.ts';
import { aloneNote, deliveredAlone, wantsAlone } from './delivered-alone.ts';
import { type InspectInput, joined, type TestEvidence, type TreesPort, type TryTrees } from './evidence.ts';
import { runsOnTrees, type Tried } from './runs-on-trees.ts';

/**
 * Looks at what became of the checks, and where they were touched holds three trees against each other: the delivered
 * one, the delivered code with the tests of the base, and the old code with the delivered tests.
 */
export async function inspect(
  input: InspectInput,
  trees: TreesPort,
  tryTrees: TryTrees,
): Promise<TestEvidence> {
  const { delivered, commands } = input;
  const base = await trees.treeOf(input.base);
  const nothing: TestEvidence = {
    tree: delivered,
    base,
    runs: [],
    redToGreen: [],
    found: [],
    notes: [],
    changed: [],
  };
  if (base === delivered) return nothing;
  const [all, allLines] = await Promise.all([trees.changes(base, delivered), trees.lines(base, delivered)]);
  const local = localTo(input.prefix);
  const changes = all.map((change) => ({ ...change, path: local(change.path), top: change.path }));
  const lines = allLines.map((file) => ({ ...file, path: local(file.path) }));
  const filesOf = (tree: string): TreeFiles => ({
    read: (path) => trees.read(tree, joined(input.prefix, path)),
    list: async () => inProject(await trees.list(tree), input.prefix),
  });
  const texts = commands.map(({ line }) => line);
  const [before, now] = await Promise.all([
    checkSources(texts, filesOf(base)),
    checkSources(texts, filesOf(delivered)),
  ]);
  const rewritten = changedSources(before, now);
  const scripts = new Set([...before.files, ...now.files, ...rewritten.map(({ path }) => path)]);
  const kindOf = kindsWith({ scripts, tested: new Set([...before.tested, ...now.tested]) });
  const files = withKinds(changes, kindOf);
  const said = [
    ...suspiciousFiles(files),
    ...rewritten,
    ...suspiciousLines(lines, kindOf),
    ...(await changedTestData(files, kindOf, async (named) => (await trees.naming(base, named)).map(local))),
    ...ownFolderNamed(lines, input.folder),
  ];
  const tried = await triedOn({ ...input, base }, files, trees, tryTrees);
  const unshown = input.redGreen ? notShown(tried.redToGreen) : [];
  const changed = files.map(({ path }) => path);
  return {
    ...nothing,
    ...tried,
    changed,
    found: weighed(onceEach([...said, ...tried.found, ...lessKnown(input), ...unshown]), input),
  };
}

/** Only what touches a check can have weakened it; what touches none can still have leant on what stays behind. */
async function triedOn(
  input: InspectInput,
  files: readonly ChangedFile[],
  trees: TreesPort,
  tryTrees: TryTrees,
): Promise<Tried> {
  if (wantsRuns(files, input)) return tryTrees((on) => runsOnTrees(input, files, { trees, on }));
  if (wantsAlone(input)) return tryTrees((on) => deliveredAlone(input, { on }));
  return { runs: [], redToGreen: [], found: [], notes: aloneNote(input) };
}

/** A person asked for a test that shows the change. A file that did not load on the old code shows nothing. */
function notShown(shown: TestEvidence['redToGreen']): SuspiciousChange[] {
  if (shown.some(({ kind }) => kind === 'red_assertion')) return [];
  const what = 'no test is red without the change and green with it, and the task asks for one';
  return [{ rule: 'no_red_green', weight: 'hard', path: '(tests)', what }];
}

/** What git leaves out of the work by these is there for the checks all the same. */
const HIDES = /(?:^|\/)\.git(?:ignore|attributes|modules)$/;

function wantsRuns(files: readonly ChangedFile[], { oldTests, commands, redGreen }: InspectInput): boolean {
  if (oldTests === 'off' || commands.length === 0) return false;
  return redGreen || oldTests === 'always' || files.some((file) => isOfChecks(file) || HIDES.test(file.path));
}

/** Nobody edited a test, and yet there may be fewer: that is how a missing service hides. */
function lessKnown({ known }: InspectInput): SuspiciousChange[] {
  if (!known?.base) return [];
  if (known.delivered) return lessTested(known.base, known.delivered);
  const what = `the run after the work says nothing of its tests; before it there were some (${describeInventory(known.base)})`;
  return [{ rule: 'fewer_tests', weight: 'hard', path: '(tests)', what }];
}

/** The same thing is often seen from two sides; one line is enough. */
function onceEach(found: readonly SuspiciousChange[]): SuspiciousChange[] {
  return [...new Map(found.toReversed().map((change) => [keyOf(change), change])).values()].toReversed();
}

function keyOf({ rule, path, line, test }: SuspiciousChange): string {
  return [rule, path, line, test].join('\0');
}

/** The paths of a tree that are below the folder of the project, from there. */
function inProject(paths: readonly string[], prefix: string): string[] {
  const local = localTo(prefix);
  return paths.filter((path) => prefix === '' || path.startsWith(`${prefix}/`)).map(local);
}

function localTo(prefix: string): (path: string) => string {
  return (path) => (prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path);
}
