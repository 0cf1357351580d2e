import type { Doubt, WorkerResult } from '../manifest/worker.ts';
import type { ProcessOutcome } from '../process/outcome.ts';
import type { CommandKind } from '../verification/commands/project-commands.ts';
import { wordsProveNothing } from '../verification/commands/proves-nothing.ts';
import { blockCommand } from './project-command.ts';
import { type Command, explainEnd, runCommand } from './run-command.ts';
import type { StepInTree } from './step.ts';

/** One run of the project's own test, lint or build command. */
export type ProjectCheck =
  /** `explanation`: it did not simply exit, so the log alone does not tell what happened. */
  | {
      readonly ran: true;
      readonly outcome: ProcessOutcome;
      readonly explanation?: string;
      /** Why a pass of it is no evidence. */
      readonly doubt?: Doubt;
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
  const useless = wordsProveNothing(command.argv, step.worktree);
  const outcome = await runCommand(step, { kind: 'check', ...command, streams });
  if (outcome.kind === 'exited') {
    const why = `its command \`${line}\` proves nothing: ${useless}`;
    return useless === undefined
      ? { ran: true, outcome }
      : { ran: true, outcome, doubt: { kind: 'unproven', why } };
  }
  return { ran: true, outcome, explanation: explainEnd(command.argv, outcome, nextStep(outcome, correct)) };
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
  return check.ran && check.outcome.kind === 'exited' && check.outcome.code === 0;
}

/** The answer of a block whose check passed: what is no evidence says so, and why. */
export function passedAs(check: ProjectCheck, answer: WorkerResult): WorkerResult {
  return check.ran && check.doubt ? { ...answer, doubt: check.doubt } : answer;
}
