import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import type { WorkflowTask } from '../../manifest/stages/definition.ts';

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
  /** Its agent has no quota left until then: the task has not happened. */
  readonly blockedUntil?: number;
  readonly reason?: string;
}

export const TASK_OUTPUT = 'TASK_OUTPUT';

/** The tasks that were done before the stage was interrupted or parked; asked to retry, only those that ended well. */
export function doneBefore(
  tasks: readonly WorkflowTask[],
  earlier: readonly JsonObject[],
): Map<string, TaskRecord> {
  const ids = new Set(tasks.map((task) => task.id));
  const done = new Map<string, TaskRecord>();
  for (const note of earlier) {
    if (note.retried === true) for (const [id, { ok }] of done) if (!ok) done.delete(id);
    if (typeof note.task !== 'string' || !ids.has(note.task) || note.status === undefined) continue;
    const record = note.status === 'DONE' ? recordIn(note) : undefined;
    if (record) done.set(record.task, record);
    else done.delete(note.task);
  }
  return done;
}

/** The note that makes a task done; everything that is needed of it later is in it. */
export function noteOf(record: TaskRecord): JsonObject {
  const { task, ok, output, files, code, signal, problem } = record;
  return {
    task,
    status: 'DONE',
    ok,
    output,
    files: [...files],
    ...(code === undefined ? {} : { code }),
    ...(signal === undefined ? {} : { signal }),
    ...(problem === undefined ? {} : { problem }),
  };
}

export function segmentOf(record: TaskRecord | undefined) {
  if (!record) return [];
  const { status: _status, ...content } = noteOf(record);
  return [{ type: TASK_OUTPUT, content }];
}

/** Reads a record back from a note or from the content of a segment. */
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
