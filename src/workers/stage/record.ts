import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import type { WorkflowTask } from '../../manifest/stages/definition.ts';
import type { Blocked } from '../agent/blocked.ts';

/** What is kept of a task that was run, in the journal and for the stages that follow. */
export interface TaskRecord {
  readonly task: string;
  readonly ok: boolean;
  readonly output: string;
  readonly files: readonly string[];
  readonly code?: number;
  readonly signal?: string;
  /** Why it does not count as well. */
  readonly problem?: string;
  /** What its agent ran into. */
  readonly error?: JsonObject;
  readonly agent?: string;
  /** Its agent cannot work before a time: the task has not happened. */
  readonly blocked?: Blocked;
}

export const TASK_OUTPUT = 'TASK_OUTPUT';

/** The tasks that were done before the stage was interrupted or parked; asked to retry, only those that ended well. */
export function doneBefore(
  tasks: readonly WorkflowTask[],
  earlier: readonly ProgressNote[],
): Map<string, TaskRecord> {
  const ids = new Set(tasks.map((task) => task.id));
  const done = new Map<string, TaskRecord>();
  for (const note of earlier) {
    if (note.type === 'retried') for (const [id, { ok }] of done) if (!ok) done.delete(id);
    if (note.type !== 'task' || !ids.has(note.task)) continue;
    if (note.status === 'DONE' && note.result)
      done.set(note.task, { task: note.task, ...note.result, ...note.exit });
    else done.delete(note.task);
  }
  return done;
}

/** The note that makes a task done; everything that is needed of it later is in it. */
export function noteOf(record: TaskRecord, conversation: JsonObject | undefined): ProgressNote {
  const { task, ok, output, files, code, signal, problem } = record;
  return {
    type: 'task',
    task,
    status: 'DONE',
    exit: { ...(code === undefined ? {} : { code }), ...(signal === undefined ? {} : { signal }) },
    result: { ok, output, files, ...(problem === undefined ? {} : { problem }) },
    ...(conversation ? { conversation } : {}),
  };
}

export function segmentOf(record: TaskRecord | undefined) {
  if (!record) return [];
  const { blocked: _not, files, ...rest } = record;
  return [{ type: TASK_OUTPUT, content: { ...rest, files: [...files] } }];
}

/** Reads a record back from the content of a segment. */
export function recordIn(value: unknown): TaskRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const { task, ok, output, files, code, signal, problem } = value;
  if (typeof task !== 'string' || typeof ok !== 'boolean' || typeof output !== 'string') return undefined;
  return {
    task,
    ok,
    output,
    files: Array.isArray(files) ? files.filter((path) => typeof path === 'string') : [],
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof signal === 'string' ? { signal } : {}),
    ...(typeof problem === 'string' ? { problem } : {}),
  };
}
