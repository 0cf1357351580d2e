import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { ProcessOutcome } from '../process/outcome.ts';
import { describeEnd } from '../process/outcome.ts';
import { runProcess } from '../process/run.ts';
import type { CommandServices } from '../workspace/setup/prepare.ts';
import { failureSignature } from './failure-signature.ts';

export interface BaselineCheck {
  /** `test`, `lint`, `build` or a name of the user's own. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: { readonly [name: string]: string };
}

/** One check on the untouched tree. Types, not interfaces, so that a baseline is a JSON value. */
export type BaselineResult = {
  readonly name: string;
  readonly command: readonly string[];
  readonly color: 'green' | 'red';
  /** Null when it did not simply exit; `end` says how it ended then. */
  readonly exitCode: number | null;
  readonly end: string;
  readonly durationMs: number;
  /** Of a red one: equal for the same failure, so that a later failure can be told from an old one. */
  readonly signature: string | null;
  readonly log: string;
};

export type Baseline = {
  readonly at: number;
  /** The tree the checks saw. */
  readonly commit: string;
  readonly checks: readonly BaselineResult[];
};

/**
 * Runs the checks once before anybody changed anything: what is red here is nobody's doing later. Each check
 * runs whatever became of the one before.
 */
export async function takeBaseline(
  worktree: { readonly path: string; readonly commit: string },
  checks: readonly BaselineCheck[],
  services: CommandServices & { readonly clock: Clock },
): Promise<Baseline> {
  const { env, clock, logFolder, processes = runProcess, wallFor, ...rest } = services;
  const results: BaselineResult[] = [];
  const at = clock.now();
  for (const { name, argv, env: own } of checks) {
    if (rest.cancel?.aborted) break;
    const log = join(logFolder, `baseline-${name.replaceAll(/[^0-9A-Za-z._-]/g, '_')}.log`);
    const { masker, timeoutMs, cancel, marker, onText } = rest;
    const outcome = await processes({
      argv,
      cwd: worktree.path,
      wall: await wallFor?.(worktree.path),
      env: { ...env, ...own },
      masker,
      streams: 'merged',
      logFile: log,
      timeoutMs,
      cancel,
      marker,
      onText,
    });
    results.push(resultOf(name, argv, outcome, log));
  }
  return { at, commit: worktree.commit, checks: results };
}

/** The checks that were red before the work began. */
export function redBefore(baseline: Baseline): readonly BaselineResult[] {
  return baseline.checks.filter(({ color }) => color === 'red');
}

function resultOf(
  name: string,
  command: readonly string[],
  outcome: ProcessOutcome,
  log: string,
): BaselineResult {
  const green = outcome.kind === 'exited' && outcome.code === 0;
  return {
    name,
    command,
    color: green ? 'green' : 'red',
    exitCode: outcome.kind === 'exited' ? outcome.code : null,
    end: describeEnd(outcome),
    durationMs: Math.round(outcome.durationMs),
    signature: green ? null : failureSignature(describeEnd(outcome), [outcome.output.text]),
    log,
  };
}
