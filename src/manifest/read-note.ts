import { CorruptSessionError } from '../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../kernel/json.ts';
import { readIdentity } from '../kernel/process-identity.ts';
import type { ProgressNote, TaskNote } from './progress-note.ts';
import { isTaskStatus, TASK_STATUSES, type TaskExit } from './task.ts';

const TYPES: ReadonlySet<unknown> = new Set<ProgressNote['type']>([
  'task',
  'said',
  'blocked',
  'conversation',
  'checkpoint',
  'process',
  'delivery.later',
  'retried',
  'context',
  'own',
]);

/**
 * A note as it stands in a journal. One without a type was written before notes had one, and could say several things
 * at once.
 */
export function readNotes(note: ProgressNote | JsonObject): readonly ProgressNote[] {
  return isTyped(note) ? [note] : upgraded(note);
}

function isTyped(note: ProgressNote | JsonObject): note is ProgressNote {
  return TYPES.has(note.type);
}

function upgraded(note: JsonObject): readonly ProgressNote[] {
  const notes = [...taskNotes(note), ...agentNotes(note), ...otherNotes(note)];
  return notes.length > 0 ? notes : [{ type: 'own', data: note }];
}

function taskNotes(note: JsonObject): ProgressNote[] {
  const { task, status, said, text, at } = note;
  if (typeof task !== 'string') return [];
  if (status !== undefined) return [taskNote(task, note)];
  if ((said === 'prompt' || said === 'input') && typeof text === 'string' && typeof at === 'number')
    return [{ type: 'said', task, said, text, at }];
  return [];
}

function taskNote(task: string, note: JsonObject): TaskNote {
  const { status, question, choices, agent, mode, by, problem } = note;
  if (!isTaskStatus(status)) {
    throw new CorruptSessionError(`Task ${task} has the status ${JSON.stringify(status)}.`, {
      next: `A status is one of ${TASK_STATUSES.join(', ')}.`,
    });
  }
  const process = readIdentity(note.process);
  switch (status) {
    case 'PENDING':
      return { type: 'task', task, status };
    case 'RUNNING':
      return {
        type: 'task',
        task,
        status,
        ...(process ? { process } : {}),
        ...(typeof agent === 'string' ? { agent } : {}),
        ...(typeof mode === 'string' ? { mode } : {}),
      };
    case 'WAITING_FOR_USER':
      return {
        type: 'task',
        task,
        status,
        question: textOf(question),
        choices: Array.isArray(choices) ? choices.map(String) : [],
      };
    case 'DONE':
      return {
        type: 'task',
        task,
        status,
        exit: exitIn(note),
        ...(typeof by === 'string' ? { by } : {}),
        ...resultIn(note),
        ...(isJsonObject(note.conversation) ? { conversation: note.conversation } : {}),
      };
    case 'ERROR':
      return { type: 'task', task, status, problem: textOf(problem) };
  }
}

function exitIn({ code, signal }: JsonObject): TaskExit {
  return {
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof signal === 'string' ? { signal } : {}),
  };
}

function resultIn({ ok, output, files, problem }: JsonObject): Pick<TaskNote & { status: 'DONE' }, 'result'> {
  if (typeof ok !== 'boolean' || typeof output !== 'string') return {};
  const paths = Array.isArray(files) ? files.filter((path) => typeof path === 'string') : [];
  return { result: { ok, output, files: paths, ...(typeof problem === 'string' ? { problem } : {}) } };
}

/** Who must wait, and in which conversation it can continue. */
function agentNotes(note: JsonObject): ProgressNote[] {
  const { task, status, blocked, cut, until, reason, kind } = note;
  const conversation = isJsonObject(note.conversation) ? note.conversation : undefined;
  const own = typeof task === 'string' ? { task } : {};
  if (typeof blocked === 'string' && typeof until === 'number') {
    return [
      {
        type: 'blocked',
        agent: blocked,
        until,
        reason: textOf(reason),
        cause: textOf(kind),
        ...own,
        ...(conversation ? { conversation } : {}),
      },
    ];
  }
  if (typeof task !== 'string' || !conversation || status === 'DONE') return [];
  return [{ type: 'conversation', task, ...(typeof cut === 'string' ? { agent: cut } : {}), conversation }];
}

function otherNotes({ task, status, process, files, deliverLater, retried }: JsonObject): ProgressNote[] {
  const started = status === undefined ? readIdentity(process) : undefined;
  return [
    ...(started ? [{ type: 'process', process: started } as const] : []),
    ...(typeof files === 'string'
      ? [{ type: 'checkpoint', files, ...(typeof task === 'string' ? { task } : {}) } as const]
      : []),
    ...(deliverLater === undefined
      ? []
      : [{ type: 'delivery.later', reason: textOf(deliverLater) } as const]),
    ...(retried === true ? [{ type: 'retried' } as const] : []),
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
