import { type Action, action } from '../../kernel/action.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { Halt } from '../../orchestrator/state/record.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import type { Used } from '../../orchestrator/state/session-state.ts';
import type { SessionStatus } from '../../orchestrator/state/status.ts';
import { openQuestions } from './open-questions.ts';
import { taskOfSession } from './task-session.ts';

/** All that decides what a person can do with a session now. */
export interface Situation {
  readonly id: string;
  readonly status: SessionStatus;
  readonly halt: Halt | null;
  readonly used: Used;
  readonly budget: Budget;
  readonly ownerAlive: boolean;
  /** Its files are in a worktree of its own, waiting to be accepted. */
  readonly kept: boolean;
  /** It reached its end and every file is as it was. */
  readonly unchanged?: boolean;
  /** The task of the backlog that it is a run of: the backlog continues it, not a person. */
  readonly task?: string;
  /** The last step that was run; 0 before the first. */
  readonly step: number;
  /** The stage tasks that wait for an answer. */
  readonly asking?: readonly string[];
}

export function situationOf({ state, ownerAlive }: Pick<Snapshot, 'state' | 'ownerAlive'>): Situation {
  const { id, status, halt, used, budget, step, files } = state;
  const task = taskOfSession(state);
  return {
    id,
    status,
    halt,
    used,
    budget,
    step,
    ownerAlive,
    kept: files !== null,
    unchanged: state.outcome === 'no_change',
    asking: openQuestions({ state, ownerAlive }).map((asked) => asked.task),
    ...(task === undefined ? {} : { task }),
  };
}

/** What makes sense now, the most likely first. */
export function actionsFor(situation: Situation): Action[] {
  const { id: session, status, halt, step } = situation;
  const on = { session };
  const look = because(action('session.show', 'Show', on), 'see the whole session');
  const lookAtStep = because(
    action('session.show', `Show step ${step}`, { session, step }),
    `see step ${step} in full`,
  );
  const looks = step > 0 ? [lookAtStep] : [look];
  if (situation.task !== undefined) return [...taskActions(situation.task, situation), ...looks];
  const resume = action('session.resume', 'Resume', on);
  switch (status) {
    case 'running':
      if (!situation.ownerAlive) return [because(resume, 'continue where the process died'), ...looks];
      return [
        ...(situation.asking ?? []).map(
          (stageTask): Action => ({
            ...because(action('session.answer', 'Answer', { session, stageTask }), `answer ${stageTask}`),
            needs: ['answer'],
          }),
        ),
        look,
        { ...because(action('session.abort', 'Abort', on), 'end it'), danger: true },
      ];
    case 'halted':
      return halt ? [...haltActions(halt, situation), ...looks] : [look];
    case 'parked':
    case 'waiting':
    case 'held':
      return [because(resume, 'continue'), look];
    case 'failed':
      return [
        because(action('session.retry', 'Retry', on), 'run the block again, once the cause is corrected'),
        ...looks,
      ];
    case 'completed':
      if (situation.unchanged && situation.kept) return [look, remove(session)];
      return situation.kept
        ? [
            because(action('session.diff', 'Show changes', on), 'see what it changed'),
            because(action('session.accept', 'Accept', on), 'bring it into your branch'),
            { ...remove(session), why: 'throw it away' },
          ]
        : [look];
    default:
      return [look];
  }
}

function taskActions(task: string, { status, ownerAlive }: Situation): Action[] {
  const look = because(
    action('task.show', 'Show its task', { task }),
    'see its task, and what that waits for',
  );
  return status === 'running' && !ownerAlive
    ? [because(action('work.start', 'Work'), 'continue its task where the process died'), look]
    : [look];
}

function haltActions(halt: Halt, { id: session, used, budget }: Situation): Action[] {
  const retry: Action = {
    ...because(action('session.retry', 'Retry with a hint', { session }), 'run that block again with a hint'),
    needs: ['guidance'],
  };
  const resume = action('session.resume', 'Resume', { session });
  switch (halt.reason) {
    case 'files':
    case 'rewound':
      return [because(resume, 'continue from there')];
    case 'tampered':
      return [
        because(
          resume,
          'look at what was changed and put back what you did not do; then continue from there',
        ),
      ];
    case 'paths':
      return [
        because(
          action('session.retry', 'Have it undone', {
            session,
            guidance: `put ${(halt.paths ?? []).join(', ')} back as it was`,
          }),
          'have it undone by the block that did it',
        ),
        because(
          action('session.resume', 'Allow these files', { session, allow: halt.paths ?? [] }),
          'allow exactly these files and go on',
        ),
      ];
    case 'no_change':
      return [
        because(retry, 'say what is missing, and let the first block run again'),
        because(resume, 'there was nothing to do: end it as it is'),
      ];
    case 'unproven':
      return [
        because(
          action('session.retry', 'Run the gate again', { session }),
          'name a command that could fail in the configuration, then run the gate again with it',
        ),
        acceptUnproven(session),
      ];
    case 'flaky':
      return [
        because(
          action('session.retry', 'Run the check again', { session }),
          'run the check again: two greens in a row on these files open the gate',
        ),
        acceptUnproven(session),
      ];
    case 'question': {
      const answers = halt.question?.choices ?? ['your answer'];
      return answers.map((answer) =>
        because(action('session.answer', answer, { session, answer }), `answer "${answer}"`),
      );
    }
    case 'limit':
      return [because(retry, 'give the block one more run, with a hint')];
    case 'budget':
      return [
        because(
          action('session.resume', 'Resume with a larger budget', {
            session,
            budget: larger(budget, used),
          }),
          'continue with a larger budget',
        ),
      ];
    case 'gate':
      return [
        because(
          action('session.retry', 'Run the gate again', { session }),
          'run the gate again on the files as they are now',
        ),
      ];
    case 'step':
      return [
        because(action('session.step', 'Step', { session }), 'run this one block'),
        because(resume, 'run on without stopping'),
      ];
    case 'interrupted':
      return [because(resume, 'run the block again and continue')];
    case 'flag':
      return [retry, because(resume, 'continue after it')];
  }
}

function remove(session: string): Action {
  const discard = action('session.discard', 'Discard', { session });
  return { ...because(discard, 'remove its worktree, in which nothing was changed'), danger: true };
}

function acceptUnproven(session: string): Action {
  return because(
    action('session.accept', 'Accept without proof', { session, unproven: true }),
    'accept it without proof; the commit says so',
  );
}

function because(what: Action, why: string): Action {
  return { ...what, why };
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
