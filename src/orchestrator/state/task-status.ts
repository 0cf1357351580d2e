import type { ProgressNote } from '../../manifest/progress-note.ts';
import type { TaskStatus } from '../../manifest/task.ts';

type Tasks = { readonly [taskId: string]: TaskStatus };

/** Only a note about a task says something about its status. */
export function withTaskNote(tasks: Tasks, note: ProgressNote): Tasks {
  return note.type === 'task' ? { ...tasks, [note.task]: note.status } : tasks;
}

/** What is left of the tasks when their process is gone: done stays done, the rest starts again. */
export function afterInterruption(tasks: Tasks): Tasks {
  return Object.fromEntries(
    Object.entries(tasks).map(([id, status]) => [id, status === 'DONE' ? status : 'PENDING']),
  );
}
