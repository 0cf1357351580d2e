import type { CheckRun } from './baseline.ts';
import { isCache } from './changes/generated-paths.ts';
import type { FailureCode } from './commands/failure-code.ts';
import type { TestCounts } from './tests/inventory.ts';

export type CommandSource = 'explicit' | 'automatic';

/** One command of a pass. Types, not interfaces, so that a report is a JSON value. */
export type CommandRecord = {
  readonly command: string;
  readonly source: CommandSource;
  /** Who asked for it: the task, the contract, a person's configuration, the project itself or a model. */
  readonly from: CommandOrigin;
  /** `recovered`: a replacement passed in its place. `flaky`: red and green on the same files. */
  readonly result: 'passed' | 'recovered' | 'flaky' | 'failed' | 'skipped';
  /** Whether a failure keeps the task from being done. */
  readonly blocking: boolean;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The changed files below the folder it ran in. */
  readonly covered: readonly string[];
  /** How many tests it had, where its summary says so. */
  readonly tests?: TestCounts;
  readonly code?: FailureCode;
  /** Why it was skipped, or how it failed. */
  readonly reason?: string;
  /** The part of a chain that failed. */
  readonly part?: string;
  readonly errorEnd?: string;
  readonly signature?: string;
  /** Failed in the same way before the work began. */
  readonly redBefore?: boolean;
  /** Every run of it, where there was more than one. */
  readonly runs?: readonly CheckRun[];
  /** Why its pass proves nothing. */
  readonly neverFails?: string;
  /** What was run in its place, in order. */
  readonly recoveredBy?: readonly string[];
};

/** `left_behind`: by the commands of an earlier pass. */
export type DropReason = 'ignored' | 'generated' | 'learned' | 'left_behind';

export type CommandOrigin = 'task' | 'contract' | 'configured' | 'project' | 'model';

export type Violation = {
  readonly path: string;
  readonly why: 'denied' | 'outside' | 'protected';
  /** Of a protected one: what it could do. */
  readonly because?: string;
};

export type VerificationResult =
  | 'verified'
  | 'unverified'
  | 'no_op'
  | 'no_change'
  /** A model is to be asked for commands; none has been run yet. */
  | 'needs_plan'
  | 'policy_violation'
  | 'denied_command'
  | 'failed';

export type ProbeRecord = {
  readonly id: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly reason: string;
};

/** The evidence of one pass: what was checked, what was not, and why. */
export type VerificationReport = {
  readonly result: VerificationResult;
  /** The identity of the files that the pass ended with: nothing else may be delivered on its strength. */
  readonly tree?: string;
  /** What is delivered: the work, without what does not count and what commands left behind. */
  readonly changes: {
    readonly changed: readonly string[];
    readonly added: readonly string[];
    readonly removed: readonly string[];
  };
  /** Changes that do not count, and why. */
  readonly dropped: readonly { readonly path: string; readonly why: DropReason }[];
  /** What the commands themselves made or changed outside the allowed paths. */
  readonly leftBehind: readonly string[];
  readonly violations: readonly Violation[];
  readonly commands: readonly CommandRecord[];
  readonly probes: readonly ProbeRecord[];
  readonly missingFiles: readonly string[];
  /** Checks that were red before the work began. */
  readonly redBefore: readonly string[];
  readonly notes: readonly string[];
};

/** Changes that were taken for products and may have been meant as work. */
export function droppedWork({ dropped }: Pick<VerificationReport, 'dropped'>): string[] {
  return dropped.flatMap(({ path, why }) =>
    (why === 'generated' || why === 'learned') && !isCache(path) ? [path] : [],
  );
}

/** The failure that decided a pass, if a command did. */
export function blockingFailure(report: VerificationReport): CommandRecord | undefined {
  return report.commands.find(({ result, blocking }) => result === 'failed' && blocking);
}

/** The commands that were red and green on the same files: a person looks before the work counts. */
export function flakyIn({ commands }: Pick<VerificationReport, 'commands'>): string[] {
  return commands.flatMap(({ command, result }) => (result === 'flaky' ? [command] : []));
}

export function hasPassed({ result }: VerificationReport): boolean {
  return result === 'verified' || result === 'unverified' || result === 'no_op';
}

/** Whether a command counts as evidence: it ran, it passed, and it could have failed. */
export function proves({ result, neverFails }: CommandRecord): boolean {
  return (result === 'passed' || result === 'recovered') && neverFails === undefined;
}

/** What a pass that did not succeed found, for an agent that repairs it and for people. */
export function describeFailure(report: VerificationReport): string {
  if (report.result === 'needs_plan') return 'A model was to be asked for the commands that check it.';
  if (report.result === 'no_change') return nothingChanged(report);
  if (report.result === 'policy_violation') {
    const lines = report.violations.map(
      ({ path, why, because }) => `- ${path} (${REASONS[why]}${because === undefined ? '' : `: ${because}`})`,
    );
    const opens = report.violations.some(({ why }) => why === 'protected')
      ? '\nA protected file is opened only by a person who allows exactly that path; no pattern does.'
      : '';
    return `Files were changed that the task may not touch:\n${lines.join('\n')}${opens}`;
  }
  const failure = blockingFailure(report);
  const parts = failure ? [describeCommand(failure)] : [];
  return [...parts, ...report.notes].join('\n');
}

function nothingChanged(report: VerificationReport): string {
  const lost = droppedWork(report);
  if (lost.length === 0) return 'Nothing was changed.';
  return `Nothing was changed that counts. These look like products and were left out: ${lost.join(', ')}. Allow or expect them by name if they are the work.`;
}

const REASONS = {
  denied: 'it is denied',
  outside: 'it is outside the allowed paths',
  protected: 'it is protected',
} as const;

function describeCommand(record: CommandRecord): string {
  const { command, source, reason, redBefore, errorEnd } = record;
  const whose = source === 'explicit' ? "the task's own command" : 'an automatic check';
  const lines = [`\`${command}\` (${whose}) failed: ${reason ?? 'no reason is known'}.`];
  if (redBefore) lines.push('It failed in the same way before the work began.');
  if (errorEnd !== undefined) lines.push(`The end of its output:\n${errorEnd.trim()}`);
  return lines.join('\n');
}
