import { CorruptSessionError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';

export type TaskStatus = 'PENDING' | 'RUNNING' | 'WAITING_FOR_USER' | 'DONE' | 'ERROR';

const KNOWN: readonly string[] = [
  'PENDING',
  'RUNNING',
  'WAITING_FOR_USER',
  'DONE',
  'ERROR',
] satisfies TaskStatus[];

type Tasks = { readonly [taskId: string]: TaskStatus };

/** A progress note `{task, status}` is a stage task changing its status; other notes say nothing about tasks. */
export function withTaskNote(tasks: Tasks, note: JsonObject): Tasks {
  if (typeof note.task !== 'string' || note.status === undefined) return tasks;
  if (!isTaskStatus(note.status)) {
    throw new CorruptSessionError(`Task ${note.task} has the status ${JSON.stringify(note.status)}.`, {
      next: `A status is one of ${KNOWN.join(', ')}.`,
    });
  }
  return { ...tasks, [note.task]: note.status };
}

/** What is left of the tasks when their process is gone: done stays done, the rest starts again. */
export function afterInterruption(tasks: Tasks): Tasks {
  return Object.fromEntries(
    Object.entries(tasks).map(([id, status]) => [id, status === 'DONE' ? status : 'PENDING']),
  );
}

export function isTaskStatus(value: unknown): value is TaskStatus {
  return typeof value === 'string' && KNOWN.includes(value);
}
