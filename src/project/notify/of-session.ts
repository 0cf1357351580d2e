import type { JsonEvent } from '../../orchestrator/control/json-event.ts';
import type { OpenProject } from '../open.ts';
import type { SessionView } from '../sessions/view.ts';
import { type Notification, Notifier } from './notifier.ts';

export function notifierOf({ project, config, services }: OpenProject): Notifier {
  const { notify: settings, childEnv: env } = config;
  return new Notifier({ projectDir: project.dir, settings, env, masker: services.masker });
}

/** An agent waits for a person, in the middle of a step. */
export function askedNotification(event: JsonEvent, title: string): Notification | undefined {
  if (event.type !== 'task.interaction') return undefined;
  const { session, task: stageTask, question: message } = event;
  const answer = {
    id: 'session.answer',
    label: `Answer ${stageTask}`,
    needs: ['answer'],
    with: { session, stageTask },
  } as const;
  return { event: 'question', title, message, session, actions: [answer] };
}

/** How a run ended, where somebody has to know; a short pause is no news. */
export function endNotification(view: SessionView, parkedMs: number): Notification | undefined {
  const { id: session, goal: title, status, halt, parkedUntil, reason, error, actions } = view;
  const about = { title, session, actions };
  switch (status) {
    case 'halted':
      if (halt?.reason === 'interrupted' || halt?.reason === 'step') return undefined;
      return {
        event: halt?.question ? 'question' : 'halted',
        message: halt?.message ?? '',
        ...about,
      };
    case 'failed':
      return { event: 'failed', message: error?.message ?? '', ...about };
    case 'parked':
      return (parkedUntil ?? 0) - Date.now() >= parkedMs
        ? {
            event: 'parked',
            message: `until ${new Date(parkedUntil ?? 0).toISOString()}: ${reason ?? ''}`,
            ...about,
          }
        : undefined;
    case 'completed':
      return { event: 'finished', message: 'completed', ...about };
    default:
      return undefined;
  }
}
