import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';

type Told = Pick<SessionState, 'id' | 'task'>;

/** The task that a session is a run of; undefined for one that a person started. */
export function taskOfSession({ task }: Pick<Told, 'task'>): string | undefined {
  return task?.id;
}

/** The files and the end of a run belong to its task: only the runtime, with its lease, may continue it. */
export function refuseTaskSession(state: Told): void {
  const task = taskOfSession(state);
  if (task === undefined) return;
  throw new ConflictError(`Session ${state.id} is a run of task ${task}, which the backlog looks after.`, {
    next: action('task.show', 'The runtime continues it, a verdict or a cancellation ends it. See its task', {
      task,
    }),
  });
}
