import type { ProgressNote } from '../../manifest/progress-note.ts';
import { readNotes } from '../../manifest/read-note.ts';
import type { TaskStatus } from '../../manifest/task.ts';
import type { ProgressRecord } from './record.ts';
import type { Said, SessionState } from './session-state.ts';

/** A note in the middle of a step: what a task does, what was said to it, a checkpoint made on the way. */
export function applyProgress(state: SessionState, { note }: ProgressRecord): SessionState {
  return readNotes(note).reduce(applyNote, state);
}

function applyNote(state: SessionState, note: ProgressNote): SessionState {
  return {
    ...state,
    notes: state.notes.append([note]),
    tasks: withTaskNote(state.tasks, note),
    exits: withExit(state.exits, note),
    said: note.type === 'said' ? state.said.append([saidIn(note, state.at)]) : state.said,
    files: note.type === 'checkpoint' ? note.files : state.files,
  };
}

type Exits = SessionState['exits'];

function withExit(exits: Exits, note: ProgressNote): Exits {
  if (note.type !== 'task') return exits;
  const { [note.task]: _before, ...others } = exits;
  const ended = note.status === 'DONE' && Object.keys(note.exit).length > 0;
  return ended ? { ...others, [note.task]: note.exit } : others;
}

function saidIn(
  { at, said, task, text }: Extract<ProgressNote, { type: 'said' }>,
  block: string | null,
): Said {
  return { at, kind: said, block, task, text };
}

type Tasks = { readonly [taskId: string]: TaskStatus };

/** Only a note about a task says something about its status. */
function withTaskNote(tasks: Tasks, note: ProgressNote): Tasks {
  return note.type === 'task' ? { ...tasks, [note.task]: note.status } : tasks;
}

/** What is left of the tasks when their process is gone: done stays done, the rest starts again. */
export function afterInterruption(tasks: Tasks): Tasks {
  return Object.fromEntries(
    Object.entries(tasks).map(([id, status]) => [id, status === 'DONE' ? status : 'PENDING']),
  );
}
