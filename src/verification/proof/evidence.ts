import type { ChangedLines } from '../../workspace/git/diff-lines.ts';
import type { FileChange } from '../../workspace/git/tree-diff.ts';
import type { RunProgram } from '../commands/run-chain.ts';
import type { RedGreen } from '../suspicious/compare.ts';
import type { Leniency } from '../suspicious/leniency.ts';
import type { SuspiciousChange } from '../suspicious/segment.ts';
import type { ConfiguredReport } from '../tests/ask-report.ts';
import type { Inventory } from '../tests/inventory.ts';
import type { TestCommand, TestRun } from './run-tests.ts';

/** Trees of the repository, looked at without a checkout. */
export interface TreesPort {
  treeOf(commit: string): Promise<string>;
  changes(from: string, to: string): Promise<readonly FileChange[]>;
  lines(from: string, to: string): Promise<readonly ChangedLines[]>;
  read(tree: string, path: string): Promise<string | undefined>;
  /** All paths of a tree. */
  list(tree: string): Promise<readonly string[]>;
  /** The paths of the files in a tree that hold one of these texts. */
  naming(tree: string, texts: readonly string[]): Promise<readonly string[]>;
  mixed(tree: string, other: string, paths: readonly string[]): Promise<string>;
}

/** Runs programs in a checkout of a tree: `root` is the project's folder in it. */
export type OnTree = <T>(tree: string, action: (root: string, run: RunProgram) => Promise<T>) => Promise<T>;

/** Makes a folder for trees to be tried in, for as long as the action takes. */
export type TryTrees = <T>(action: (on: OnTree) => Promise<T>) => Promise<T>;

export interface InspectInput extends Leniency {
  /** The commit that the work began from. */
  readonly base: string;
  /** The tree that would be delivered. */
  readonly delivered: string;
  /** The project's folder below the top of the repository; `''` at the top. */
  readonly prefix: string;
  /** What proves the work; the project's own test command, or those of a task. */
  readonly commands: readonly TestCommand[];
  /** When the base's tests are run on the new code. */
  readonly oldTests: 'changed' | 'always' | 'off';
  /** When the commands also run on a fresh checkout of the delivered tree alone. */
  readonly fresh: 'needed' | 'always' | 'off';
  /** What they may have used and what is not delivered; undefined: nobody can tell. */
  readonly undelivered: readonly string[] | undefined;
  /** Commands, as lines, that failed in that folder before the work began. */
  readonly redBefore?: readonly string[];
  /** The top of the folder that the work was done in. */
  readonly folder: string;
  /** What became of a command on a tree: it is not run there again. */
  readonly remembered?: Map<string, TestRun>;
  /** A named test must be red without the change and green with it. */
  readonly redGreen: boolean;
  /** What the runs that were made anyway say, where they do. */
  readonly known?: { readonly base?: Inventory | undefined; readonly delivered?: Inventory | undefined };
  readonly reports?: readonly ConfiguredReport[];
}

/** One run of a command on one of the trees. Types, not interfaces, so that the evidence is a JSON value. */
export type TreeRun = {
  readonly command: string;
  readonly on: 'delivered' | 'old tests on new code' | 'new tests on old code' | 'base';
  readonly tree: string;
  readonly green: boolean;
  /** For people: how many tests, and how that is known. */
  readonly tests: string;
};

/** What was found out about the checks themselves. */
export type TestEvidence = {
  readonly tree: string;
  readonly base: string;
  readonly runs: readonly TreeRun[];
  /** Tests that fail without the change and pass with it. */
  readonly redToGreen: readonly RedGreen[];
  readonly found: readonly SuspiciousChange[];
  readonly notes: readonly string[];
  /** The paths that the work changed. */
  readonly changed: readonly string[];
  /** What the tests of the base said on the new code, where one is red. */
  readonly log?: string;
};

/** A path of the project from the top of its repository. */
export function joined(prefix: string, path: string): string {
  return prefix === '' ? path : `${prefix}/${path}`;
}
