import { type Action, action } from '../../kernel/action.ts';
import type { RaiseDay } from '../../orchestrator/state/record.ts';
import { because, haltActions, takeUp } from './halt-actions.ts';
import type { Situation } from './situation.ts';

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
      return [...raiseActions(situation.raise), because(resume, 'continue'), look];
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
function filesActions({ id: session, delivery, suspicious }: Situation, look: Action): Action[] {
  const on = { session };
  const changes = because(action('session.diff', 'Show changes', on), 'see what it changed');
  const reason = suspicious === true ? { suspicious: '<reason>' } : {};
  const accept = because(
    action('session.accept', 'Accept', { ...on, ...reason }),
    'bring it into your branch',
  );
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

/** Resuming alone would be refused. */
function raiseActions(raise: RaiseDay | null | undefined): Action[] {
  if (!raise) return [];
  const { unit, more } = raise;
  return [
    because(
      action('budget.raise', 'Let today use more', { [unit]: more }),
      'let today use more, then continue',
    ),
  ];
}

function remove(session: string): Action {
  const discard = action('session.discard', 'Discard', { session });
  return { ...because(discard, 'remove its worktree, in which nothing was changed'), danger: true };
}
