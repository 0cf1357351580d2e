import { action } from '../../kernel/action.ts';
import type { TaskRuntimeEvent } from '../../tasks/run-task.ts';
import type { Notification } from './notifier.ts';

/** What of a task's run somebody has to know. `title`: of the task. */
export function taskNotification(event: TaskRuntimeEvent, title: string): Notification | undefined {
  const { task } = event;
  if (event.type === 'task.session' && event.event.type === 'task.interaction') {
    const { session, question: message, task: stageTask } = event.event;
    const answer = {
      ...action('session.answer', 'Answer', { session, stageTask }),
      needs: ['answer'],
    } as const;
    return { event: 'question', title, message, session, task, actions: [answer] };
  }
  if (event.type !== 'task.released' || !event.counted) return undefined;
  const { release } = event;
  const look = action('task.show', 'Show the task', { task });
  const message = release.reason ?? release.state;
  if (release.state === 'done') return { event: 'finished', title, message, task, actions: [look] };
  if (release.state === 'failed') return { event: 'failed', title, message, task, actions: [look] };
  if (release.state !== 'blocked') return undefined;
  if (release.block === 'awaiting_judge') {
    const approve = action('task.approve', 'Approve', { task });
    return { event: 'judge', title, message, task, actions: [look, approve] };
  }
  return release.block === 'needs_rework'
    ? { event: 'halted', title, message, task, actions: [look] }
    : { event: 'parked', title, message, task, actions: [look] };
}
