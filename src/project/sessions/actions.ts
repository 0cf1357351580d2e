import { type Action, action, advise } from '../../kernel/action.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { Delivery } from '../../orchestrator/state/delivery.ts';
import type { Halt } from '../../orchestrator/state/record.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import type { Used } from '../../orchestrator/state/session-state.ts';
import type { SessionStatus } from '../../orchestrator/state/status.ts';
import { openQuestions } from './open-questions.ts';
import { taskOfSession } from './task-session.ts';
import type { AgentTrouble, Why } from './why.ts';

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
  /** What a person did with them. */
  readonly delivery?: Delivery | null;
  /** It was forked, and nobody has set it going yet. */
  readonly notStarted?: boolean;
  /** It reached its end and every file is as it was. */
  readonly unchanged?: boolean;
  /** The task of the backlog that it is a run of: the backlog continues it, not a person. */
  readonly task?: string;
  /** The last step that was run; 0 before the first. */
  readonly step: number;
  /** The stage tasks that wait for an answer. */
  readonly asking?: readonly string[];
  /** What has to be corrected stands in the workflow. */
  readonly ofManifest?: boolean;
  /** The agent whose trouble it halted for. */
  readonly trouble?: AgentTrouble;
}

export function situationOf(
  { state, ownerAlive }: Pick<Snapshot, 'state' | 'ownerAlive'>,
  why?: Why,
): Situation {
  const { id, status, halt, used, budget, step, files, delivery, notStarted } = state;
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
    delivery,
    notStarted,
    unchanged: state.outcome === 'no_change',
    asking: openQuestions({ state, ownerAlive }).map((asked) => asked.task),
    ...(task === undefined ? {} : { task }),
    ofManifest: state.error?.in === 'manifest' || why?.in === 'manifest',
    ...(why?.agent ? { trouble: why.agent } : {}),
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
      if (!situation.ownerAlive && situation.notStarted === true)
        return [because(resume, 'set it going'), ...looks];
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
        ...(situation.ofManifest ? [takeUp(session)] : []),
        because(action('session.retry', 'Retry', on), 'run the block again, once the cause is corrected'),
        ...looks,
      ];
    case 'completed':
      if (situation.unchanged && situation.kept) return [look, remove(session)];
      return situation.kept ? filesActions(situation, look) : [look];
    default:
      return [look];
  }
}

/** What can be done with the files of a session that has completed, after what was done with them. */
function filesActions({ id: session, delivery }: Situation, look: Action): Action[] {
  const on = { session };
  const changes = because(action('session.diff', 'Show changes', on), 'see what it changed');
  const accept = because(action('session.accept', 'Accept', on), 'bring it into your branch');
  const discard: Action = {
    ...because(action('session.discard', 'Discard', on), 'throw it away'),
    danger: true,
  };
  switch (delivery?.kind) {
    case 'delivered':
      return [changes, because(action('session.undo', 'Undo', on), `take it out of ${delivery.base} again`)];
    case 'discarded':
      return [look];
    case 'undone':
      return [changes, because(accept, 'bring it into your branch again'), discard];
    default:
      return [changes, accept, discard];
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

/** The manifest of a session is frozen: a corrected file counts only when somebody says so. */
function takeUp(session: string): Action {
  return because(
    action('session.retry', 'Take up the corrected workflow', { session, manifest: 'current' }),
    'correct the workflow in its file, then take it up and run that block again',
  );
}

/** A hint does not help an agent that its provider turns away. */
function loginActions(session: string, { agent, login }: AgentTrouble): Action[] {
  return [
    advise(`Log in to ${agent}${login === undefined ? '' : `: ${login}`}`),
    because(action('session.retry', 'Retry', { session }), 'once you are logged in, run that block again'),
  ];
}

function haltActions(halt: Halt, situation: Situation): Action[] {
  const { id: session, used, budget, trouble } = situation;
  if (situation.ofManifest) return [takeUp(session)];
  if (trouble?.kind === 'auth') return loginActions(session, trouble);
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
    case 'suspicious':
      return [
        because(action('session.diff', 'Show changes', { session }), 'see what it changed'),
        because(
          action('session.accept', 'Accept with a reason', { session, suspicious: '<reason>' }),
          'accept these changes of the checks; the commit names them and your reason',
        ),
        because(retry, 'have it done without them'),
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
      return [
        because(
          retry,
          halt.retry
            ? `give ${halt.retry.at} one more run with a hint; ${halt.block} then tests the result`
            : `give ${halt.block ?? 'the block'} one more run, with a hint`,
        ),
        ...(halt.retry ? [because(resume, `run ${halt.block} again on the files as they are now`)] : []),
      ];
    case 'budget':
      if (!isSpent(budget, used))
        return [because(resume, 'continue, once "prices" in the configuration have what it costs')];
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

function isSpent(budget: Budget, used: Used): boolean {
  const { steps, tokens, usd, minutes } = budget;
  const reached = (most: number | undefined, spent: number) => most !== undefined && spent >= most;
  return (
    reached(steps, used.steps) ||
    reached(tokens, used.tokens) ||
    reached(usd, used.usd) ||
    reached(minutes, used.ms / 60_000)
  );
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
