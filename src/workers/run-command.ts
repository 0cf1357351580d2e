import { join } from 'node:path';
import { withToolsFirst } from '../process/child-env.ts';
import { environmentFor } from '../process/environment.ts';
import { describeEnd, type ProcessOutcome } from '../process/outcome.ts';
import { runProcess } from '../process/run.ts';
import type { StepInTree } from './step.ts';

export interface Command {
  readonly kind: 'check' | 'program';
  readonly argv: readonly string[];
  readonly env?: { readonly [name: string]: string };
  /** Inside the worktree. */
  readonly cwd?: string;
  readonly input?: string;
  readonly timeoutMs?: number | undefined;
  readonly streams: 'merged' | 'separate';
}

/** Starts a command for the running step: its process is noted in the journal, its output goes to the watchers. */
export async function runCommand(
  { services, context, run, worktree }: StepInTree,
  command: Command,
): Promise<ProcessOutcome> {
  const { session_id: session, epoch, step } = context.system_metadata;
  const { processes = runProcess, baseEnv, environment, sandbox } = services;
  const { kind } = command;
  const env = environmentFor(kind, baseEnv, environment?.[kind]);
  return processes({
    argv: command.argv,
    cwd: join(worktree, command.cwd ?? ''),
    env: { ...withToolsFirst(env, worktree), ...command.env },
    wall: await sandbox?.wallFor({ kind, tree: worktree }),
    input: command.input,
    masker: services.masker,
    streams: command.streams,
    timeoutMs: command.timeoutMs ?? services.timeoutMs,
    cancel: run.cancel,
    onText: (text) => run.output(text),
    logFile: run.logFile('output.log'),
    marker: { session, epoch, step },
    onStarted: (process) => run.progress({ type: 'process', process }),
  });
}

/** How a command ended and what to do, for the log of one that did not simply exit. */
export function explainEnd(argv: readonly string[], outcome: ProcessOutcome, next: string): string {
  return `\`${shownCommand(argv)}\` ${describeEnd(outcome)}.\nNext: ${next}`;
}

const LONGEST_SHOWN = 200;

/** An argument can be a whole prompt; a message only needs to tell which command is meant. */
export function shownCommand(argv: readonly string[]): string {
  const line = argv.join(' ');
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN)}...` : line;
}
