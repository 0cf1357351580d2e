import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import type { EventStream } from '../../kernel/events.ts';
import type { LiveTask, TaskStatus } from '../../manifest/task.ts';
import type { EngineEvent } from '../events.ts';

/** Ends a running task and resolves when it has ended: its end is in the journal then, not only asked for. */
export async function endTask(
  events: EventStream<EngineEvent>,
  task: LiveTask,
  how: 'complete' | 'stop',
): Promise<void> {
  let unsubscribe: (() => void) | undefined;
  const ended = new Promise<EndOfTask>((resolve) => {
    unsubscribe = events.subscribe((event) => {
      const end = endIn(event, task.id);
      if (end) resolve(end);
    });
  });
  try {
    await (how === 'complete' ? task.complete() : task.stop());
    const { session, status } = await ended;
    if (how === 'complete' && status !== 'DONE') {
      throw new ConflictError(`Task "${task.id}" was cut off before it was done.`, {
        next: action('session.show', 'Look at the session', { session }),
      });
    }
  } finally {
    unsubscribe?.();
  }
}

interface EndOfTask {
  readonly session: string;
  readonly status: TaskStatus | undefined;
}

/** Its own last status, or the end of the step or session it ran in: after that there is none to come. */
function endIn(event: EngineEvent, task: string): EndOfTask | undefined {
  const { session } = event;
  if (event.type === 'task.status') {
    const ends = event.task === task && event.status !== 'RUNNING' && event.status !== 'WAITING_FOR_USER';
    return ends ? { session, status: event.status } : undefined;
  }
  return event.type === 'step.finished' || END_OF_SESSION.has(event.type)
    ? { session, status: undefined }
    : undefined;
}

const END_OF_SESSION: ReadonlySet<EngineEvent['type']> = new Set([
  'session.halted',
  'session.parked',
  'session.completed',
  'session.failed',
  'session.aborted',
]);
