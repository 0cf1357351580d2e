import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import { runProcess } from '../process/run.ts';
import type { CommandServices } from '../workspace/setup/prepare.ts';
import { type ChainEnd, type RunProgram, runChain } from './commands/run-chain.ts';
import { isWorthChecking } from './flaky.ts';
import { logExcerpt } from './log-excerpt.ts';
import type { TestCounts } from './tests/inventory.ts';

/** A command to run on the untouched tree: words, or a line as a task writes it. */
export type BaselineCheck = {
  /** `test`, `lint`, `build` or a name of the user's own. */
  readonly name: string;
  readonly env?: { readonly [name: string]: string };
} & ({ readonly argv: readonly string[] } | { readonly line: string });

/** One run of a check that was run more than once. */
export type CheckRun = {
  readonly color: 'green' | 'red';
  readonly exitCode: number | null;
  readonly signature: string | null;
};

/** One check on the untouched tree. Types, not interfaces, so that a baseline is a JSON value. */
export type BaselineResult = {
  readonly name: string;
  /** The words of the program that decided. */
  readonly command: readonly string[];
  readonly color: 'green' | 'red';
  /** Null when it did not simply exit; `end` says how it ended then. */
  readonly exitCode: number | null;
  readonly end: string;
  /** Its program was not found, or could not be started. */
  readonly notStarted?: true;
  readonly durationMs: number;
  /** Of a red one: equal for the same failure, so that a later failure can be told from an old one. */
  readonly signature: string | null;
  readonly log: string;
  /** Of a red one: what it printed, cut to what shows the failure. Absent in what an earlier version wrote. */
  readonly output?: string;
  /** Red, and then green on the same files: it says nothing about anybody's work. */
  readonly flaky?: true;
  /** Every run, where there was more than one. */
  readonly runs?: readonly CheckRun[];
  /** How many tests it had, where its summary says so. */
  readonly tests?: TestCounts;
};

export type Baseline = {
  readonly at: number;
  /** The tree the checks saw. */
  readonly commit: string;
  readonly checks: readonly BaselineResult[];
};

/**
 * Runs the checks before anybody changed anything: what is red here is nobody's doing later. Each check runs
 * whatever became of the one before, and a quick red once more, so that a flake is known as one.
 */
export async function takeBaseline(
  worktree: { readonly path: string; readonly commit: string },
  checks: readonly BaselineCheck[],
  services: CommandServices & { readonly clock: Clock },
): Promise<Baseline> {
  const results: BaselineResult[] = [];
  const at = services.clock.now();
  for (const check of checks) {
    if (services.cancel?.aborted) break;
    results.push(await runCheck(worktree.path, check, services));
  }
  return { at, commit: worktree.commit, checks: results };
}

/** How a command ended before the work began, by its words. */
export function baselineOfCommand(
  baseline: Baseline | undefined,
  argv: readonly string[] | undefined,
): BaselineResult | undefined {
  const key = argv?.join('\0');
  return baseline?.checks.find(({ command }) => command.join('\0') === key);
}

/** The checks that were red before the work began. */
export function redBefore(baseline: Baseline): readonly BaselineResult[] {
  return baseline.checks.filter(({ color }) => color === 'red');
}

async function runCheck(
  path: string,
  check: BaselineCheck,
  services: CommandServices,
): Promise<BaselineResult> {
  const log = join(
    services.logFolder,
    `baseline-${check.name.replaceAll(/[^0-9A-Za-z._-]/g, '_').slice(0, 80)}`,
  );
  const run = programsOf(services, path, log);
  const line = 'line' in check ? check.line : check.argv.join(' ');
  const words = 'line' in check ? {} : { words: { argv: check.argv, env: check.env ?? {} } };
  const once = () => runChain(line, { root: path, cwd: path, denied: [], ...words }, run);
  const first = resultOf(check.name, await once(), `${log}.log`);
  if (services.cancel?.aborted || !isWorthChecking(first)) return first;
  const again = resultOf(check.name, await once(), `${log}.log`);
  const runs = [first, again].map(({ color, exitCode, signature }) => ({ color, exitCode, signature }));
  return again.color === 'green' ? { ...first, flaky: true, runs } : { ...first, runs };
}

/** Each program of a chain has its own log. */
function programsOf(services: CommandServices, tree: string, log: string): RunProgram {
  const { env, processes = runProcess, wallFor, masker, timeoutMs, cancel, marker, onText } = services;
  let started = 0;
  return async (program) => {
    started++;
    return processes({
      argv: program.argv,
      cwd: program.cwd,
      wall: await wallFor?.(tree),
      env: { ...env, ...program.env },
      masker,
      streams: 'merged',
      logFile: started === 1 ? `${log}.log` : `${log}-${started}.log`,
      timeoutMs,
      cancel,
      marker,
      onText,
    });
  };
}

function resultOf(name: string, end: ChainEnd, log: string): BaselineResult {
  const { argv = [], exitCode, durationMs, failure, tests, notStarted } = end;
  return {
    name,
    command: argv,
    color: failure ? 'red' : 'green',
    exitCode,
    end: failure?.end ?? 'ended with exit code 0',
    durationMs,
    signature: failure?.signature ?? null,
    log,
    ...(failure === undefined || failure.output === '' ? {} : { output: logExcerpt(failure.output) }),
    ...(tests === undefined ? {} : { tests }),
    ...(notStarted ? { notStarted } : {}),
  };
}
