import type { JsonObject } from '../../kernel/json.ts';
import type { TaskExit } from '../../manifest/task.ts';
import type { ProgressRecord } from './record.ts';
import type { Said, SessionState } from './session-state.ts';
import { withTaskNote } from './task-status.ts';

/**
 * A note in the middle of a step. Some say more than that: `{task, status, code, signal}` is a task changing its
 * status, `{task, said, text, at}` is what was said to it, `{files}` a checkpoint that was made on the way.
 */
export function applyProgress(state: SessionState, { note }: ProgressRecord): SessionState {
  const said = saidIn(note, state.at);
  return {
    ...state,
    notes: state.notes.append([note]),
    tasks: withTaskNote(state.tasks, note),
    exits: withExit(state.exits, note),
    said: said ? state.said.append([said]) : state.said,
    files: typeof note.files === 'string' ? note.files : state.files,
  };
}

type Exits = SessionState['exits'];

function withExit(exits: Exits, { task, status, code, signal }: JsonObject): Exits {
  if (typeof task !== 'string' || status === undefined) return exits;
  const exit: TaskExit = {
    ...(typeof code === 'number' ? { code } : {}),
    ...(typeof signal === 'string' ? { signal } : {}),
  };
  const { [task]: _before, ...others } = exits;
  return Object.keys(exit).length === 0 ? others : { ...others, [task]: exit };
}

function saidIn({ task, said, text, at }: JsonObject, block: string | null): Said | undefined {
  if (typeof task !== 'string' || typeof text !== 'string' || typeof at !== 'number') return undefined;
  return said === 'prompt' || said === 'input' ? { at, kind: said, block, task, text } : undefined;
}
