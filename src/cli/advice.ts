import type { Budget } from '../manifest/definition.ts';
import type { Halt } from '../orchestrator/state/record.ts';
import type { Used } from '../orchestrator/state/session-state.ts';
import type { SessionStatus } from '../orchestrator/state/status.ts';
import type { Project } from '../project/place.ts';

export interface Advice {
  readonly command: string;
  readonly why: string;
}

export interface Situation {
  readonly id: string;
  readonly status: SessionStatus;
  readonly halt: Halt | null;
  readonly used: Used;
  readonly budget: Budget;
  readonly ownerAlive: boolean;
  /** Its files are in a worktree of its own, waiting to be accepted. */
  readonly kept: boolean;
  /** The task of the backlog that it is a run of: the backlog goes on with it, not a person. */
  readonly task?: string;
  /** The last step that was run; 0 before the first. */
  readonly step: number;
  /** The tasks that wait for an answer. */
  readonly asking?: readonly string[];
}

/** The commands that make sense now, the most likely one first. */
export function adviceFor(
  situation: Situation,
  project: Pick<Project, 'command'>,
  guidance = 'what it should know',
): Advice[] {
  const { id, status, halt, step } = situation;
  const command = (...words: string[]): string => project.command(...words);
  const look = { command: command('show', id), why: 'see the whole session' };
  const lookAtStep = {
    command: command('show', id, '--step', String(step)),
    why: `see step ${step} in full`,
  };
  const looks = step > 0 ? [lookAtStep] : [look];
  if (situation.task !== undefined) return [...taskAdvice(situation.task, situation, command), ...looks];
  switch (status) {
    case 'running':
      if (!situation.ownerAlive) {
        return [{ command: command('resume', id), why: 'go on where the process died' }, ...looks];
      }
      return [
        ...(situation.asking ?? []).map((task) => ({
          command: command('answer', id, '<answer>', '--task', task),
          why: `answer ${task}`,
        })),
        look,
        { command: command('abort', id), why: 'end it' },
      ];
    case 'halted':
      return halt ? [...haltAdvice(halt, situation, guidance, command), ...looks] : [look];
    case 'parked':
    case 'waiting':
    case 'held':
      return [{ command: command('resume', id), why: 'go on' }, look];
    case 'failed':
      return [
        { command: command('retry', id), why: 'run the block again, once the cause is corrected' },
        ...looks,
      ];
    case 'completed':
      return situation.kept
        ? [
            { command: command('diff', id), why: 'see what it changed' },
            { command: command('accept', id), why: 'bring it into your branch' },
            { command: command('discard', id), why: 'throw it away' },
          ]
        : [look];
    default:
      return [look];
  }
}

function taskAdvice(
  task: string,
  { status, ownerAlive }: Situation,
  command: (...words: string[]) => string,
): Advice[] {
  const look = { command: command('show', task), why: 'see its task, and what that waits for' };
  return status === 'running' && !ownerAlive
    ? [{ command: command('work'), why: 'go on with its task where the process died' }, look]
    : [look];
}

function haltAdvice(
  halt: Halt,
  { id, used, budget }: Situation,
  guidance: string,
  command: (...words: string[]) => string,
): Advice[] {
  const retry = {
    command: command('retry', id, '--guidance', guidance),
    why: 'run that block again with a hint',
  };
  switch (halt.reason) {
    case 'files':
    case 'rewound':
      return [{ command: command('resume', id), why: 'go on from there' }];
    case 'question': {
      const answers = halt.question?.choices ?? ['your answer'];
      return answers.map((answer) => ({
        command: command('resume', id, '--answer', answer),
        why: `answer "${answer}"`,
      }));
    }
    case 'limit':
      return [{ ...retry, why: 'give the block one more run, with a hint' }];
    case 'budget':
      return [
        {
          command: command('resume', id, '--budget', larger(budget, used)),
          why: 'go on with a larger budget',
        },
      ];
    case 'gate':
      return [{ command: command('retry', id), why: 'run the gate again on the files as they are now' }];
    case 'step':
      return [
        { command: command('step', id), why: 'run this one block' },
        { command: command('resume', id), why: 'run on without stopping' },
      ];
    case 'interrupted':
      return [{ command: command('resume', id), why: 'run the block again and go on' }];
    case 'flag':
      return [retry, { command: command('resume', id), why: 'go on after it' }];
  }
}

/** Twice what is spent, of what ran out. */
function larger(budget: Budget, used: Used): string {
  if (budget.steps !== undefined && used.steps >= budget.steps)
    return `steps=${Math.max(10, budget.steps * 2)}`;
  if (budget.tokens !== undefined && used.tokens >= budget.tokens)
    return `tokens=${Math.max(1000, budget.tokens * 2)}`;
  if (budget.usd !== undefined && used.usd >= budget.usd) return `usd=${Math.max(1, budget.usd * 2)}`;
  return `minutes=${Math.max(10, (budget.minutes ?? 0) * 2)}`;
}
