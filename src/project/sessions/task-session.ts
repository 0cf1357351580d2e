import { UsageError } from '../../kernel/errors.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import type { Project } from '../place.ts';

type Told = Pick<SessionState, 'id' | 'task'>;

/** The task that a session is a run of; undefined for one that a person started. */
export function taskOfSession({ task }: Pick<Told, 'task'>): string | undefined {
  return task?.id;
}

/** The files and the end of a run belong to its task: only the runtime, with its lease, may go on with it. */
export function refuseTaskSession(state: Told, { command }: Pick<Project, 'command'>): void {
  const task = taskOfSession(state);
  if (task === undefined) return;
  throw new UsageError(`Session ${state.id} is a run of task ${task}, which the backlog looks after.`, {
    next: `See what it waits for with \`${command('show', task)}\`. \`${command('work')}\` goes on with it, \`judge\` decides on what it delivered, \`task cancel\` ends it.`,
  });
}
