import type { JsonObject } from '../kernel/json.ts';
import { isGenuine } from '../manifest/origin.ts';
import type { Doubt, WorkerResult } from '../manifest/worker.ts';
import { describeEnd, type ProcessOutcome } from '../process/outcome.ts';
import { baselineOfCommand, type CheckRun } from '../verification/baseline.ts';
import type { CommandKind } from '../verification/commands/project-commands.ts';
import { NO_TEST, wordsProveNothing } from '../verification/commands/proves-nothing.ts';
import { failureSignature } from '../verification/failure-signature.ts';
import { type KnownRuns, type OneRun, runsInWords, settleRuns } from '../verification/flaky.ts';
import { ranNoTest } from '../verification/tests/counts.ts';
import { blockCommand } from './project-command.ts';
import { type Command, explainEnd, runCommand } from './run-command.ts';
import type { StepInTree } from './step.ts';
import { baselineIn } from './task-flow/segments.ts';

/** One run of the project's own test, lint or build command. */
export type ProjectCheck =
  /** `explanation`: it did not simply exit, so the log alone does not tell what happened. */
  | {
      readonly ran: true;
      readonly outcome: ProcessOutcome;
      readonly explanation?: string;
      /** Every run, where there was more than one. */
      readonly runs?: readonly CheckRun[];
      /** Why it is no evidence; null: it was run again, and is. */
      readonly doubt?: Doubt | null;
    }
  | { readonly ran: false; readonly explanation: string };

export async function runProjectCheck(
  step: StepInTree,
  kind: CommandKind,
  streams: Command['streams'],
): Promise<ProjectCheck> {
  const { read: command, line } = blockCommand(step, kind);
  const correct = `set commands.${kind} in .loopwright/config.json`;
  if (!command.ok) return { ran: false, explanation: `${command.reason}\nNext: ${correct}.` };
  const { verdict, decisive, runs } = await settled(step, kind, { command, streams });
  const useless =
    wordsProveNothing(command.argv, step.worktree) ??
    (kind === 'test' && ranNoTest(decisive.output.text) ? NO_TEST : undefined);
  const ran = { ran: true, outcome: decisive, ...(runs.length > 1 ? { runs } : {}) } as const;
  if (verdict === 'flaky') {
    const why = `its command \`${line}\` was ${runsInWords(runs)} on the same files`;
    return { ...ran, explanation: `Flaky: ${why}.`, doubt: { kind: 'flaky', why } };
  }
  if (decisive.kind !== 'exited')
    return { ...ran, explanation: explainEnd(command.argv, decisive, nextStep(decisive, correct)) };
  if (useless !== undefined)
    return { ...ran, doubt: { kind: 'unproven', why: `its command \`${line}\` proves nothing: ${useless}` } };
  return runs.length > 1 ? { ...ran, doubt: null } : ran;
}

/** Runs the command until it is known what it says about the files: see `settleRuns`. */
async function settled(
  step: StepInTree,
  kind: CommandKind,
  { command, streams }: { readonly command: Words; readonly streams: Command['streams'] },
) {
  const payload = step.context.execution_payload;
  const changes = await step.services.tree?.changes?.();
  const known: KnownRuns = {
    base: baselineOfCommand(baselineIn(payload), command.argv),
    marked: payload.some(
      (segment) => isGenuine(segment, RESULTS[kind]) && 'flaky' in segment && segment.flaky === true,
    ),
    // The gate of a session knows its own earlier reds.
    redHere: false,
    untouched: changes?.length === 0,
  };
  return settleRuns(
    () => runCommand(step, { kind: 'check', ...command, streams }),
    asRun,
    () => known,
  );
}

interface Words {
  readonly argv: readonly string[];
  readonly env: { readonly [name: string]: string };
}

const RESULTS: { readonly [kind in CommandKind]: string } = {
  test: 'TEST_RESULT',
  lint: 'LINT_RESULT',
  build: 'BUILD_RESULT',
};

function asRun(outcome: ProcessOutcome): OneRun {
  const exitCode = outcome.kind === 'exited' ? outcome.code : null;
  const color = exitCode === 0 ? 'green' : 'red';
  const signature = exitCode === 0 ? null : failureSignature(describeEnd(outcome), [outcome.output.text]);
  return { color, exitCode, signature, durationMs: outcome.durationMs };
}

/** What the segment of a check says beside its log: every run, where there was more than one. */
export function runsOf(check: ProjectCheck): JsonObject {
  if (!check.ran || !check.runs) return {};
  return { runs: [...check.runs], ...(check.doubt?.kind === 'flaky' ? { flaky: true } : {}) };
}

function nextStep(outcome: ProcessOutcome, correct: string): string {
  if (outcome.kind === 'not-started') return `install it in the project, or ${correct}.`;
  if (outcome.kind === 'timed-out')
    return 'make it faster, or raise timeoutMinutes in .loopwright/config.json.';
  if (outcome.kind === 'killed') return 'look for what ended it: memory limits, a crash, another program.';
  return 'run this block again.';
}

/** The complete log, and behind it what the log alone does not tell. */
export function logOf(check: ProjectCheck): string {
  const log = check.ran ? check.outcome.output.text : '';
  if (check.explanation === undefined) return log;
  return log === '' || log.endsWith('\n') ? log + check.explanation : `${log}\n${check.explanation}`;
}

export function passed(check: ProjectCheck): boolean {
  if (!check.ran || check.doubt?.kind === 'flaky') return false;
  return check.outcome.kind === 'exited' && check.outcome.code === 0;
}

/** The answer of a block: what is no evidence says so, and why. */
export function withDoubt(check: ProjectCheck, answer: WorkerResult): WorkerResult {
  return check.ran && check.doubt !== undefined ? { ...answer, doubt: check.doubt } : answer;
}
