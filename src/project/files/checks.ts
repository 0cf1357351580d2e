import type { ProcessIdentity } from '../../kernel/process-identity.ts';

/** One check of a piece of work: what ran, how it ended, and on which tree. */
export interface Check {
  /** The block, or who asked for the command. */
  readonly name: string;
  readonly command?: string;
  /** `passed`, or what else it came to. */
  readonly result: string;
  readonly tree?: string | undefined;
}

/** A check that ran once more, on the tree that a base branch would get. */
export interface Repeated extends Check {
  readonly passed: boolean;
  /** How it ended and the last of what it printed; empty when it passed. */
  readonly said: string;
  readonly log: string;
}

/** The files of a candidate while its checks run there. */
export interface CandidateRun {
  /** Of its own: two that run at once must not be taken for one. */
  readonly id: string;
  readonly tree: string;
  /** The project's folder in it. */
  readonly root: string;
  readonly cancel: AbortSignal;
  readonly logFile: (name: string) => string;
  readonly started: (process: ProcessIdentity) => void;
}

/** What was checked of a piece of work, and how that is asked again about another tree. */
export interface Checks {
  readonly seen: readonly Check[];
  /** The tree that all of them passed on. */
  readonly tree: string | undefined;
  /** What they may have passed with and what is not delivered; absent: nothing. */
  readonly leantOn?: readonly string[];
  /** Which of them nobody can run outside of their session, and why. */
  readonly unrepeatable: readonly string[];
  /** What would run, for whoever waits for it. */
  readonly commands: readonly string[];
  /** Stops at the first one that fails. */
  repeat(on: CandidateRun): Promise<readonly Repeated[]>;
}

const SHORT = 12;

export function shortTree(tree: string): string {
  return tree.slice(0, SHORT);
}

/** For a commit: who reads it can run each check again on the very tree. */
export function checkLines(checks: readonly Check[]): string[] {
  return checks.map(({ name, command, result, tree }) => {
    const what = command === undefined ? result : `\`${command}\` ${result}`;
    return `- ${name}: ${what}${tree === undefined ? '' : ` on tree ${shortTree(tree)}`}`;
  });
}
