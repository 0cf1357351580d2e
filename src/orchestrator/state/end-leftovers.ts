import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import { endProcessTree } from '../../process/end-tree.ts';
import type { SessionState } from './session-state.ts';

/**
 * Processes of an interrupted step run on without their owner; two of them must not work in one tree. With an epoch
 * only those of that owner: whoever takes the session up meanwhile keeps theirs. How many there were.
 */
export async function endLeftovers(state: SessionState, epoch?: number): Promise<number> {
  if (state.status !== 'running') return 0;
  const recorded = state.notes.toArray().flatMap(processOf);
  const roots = recorded.length === 0 ? [NOT_RECORDED] : recorded;
  const marker = { session: state.id, ...(epoch === undefined ? {} : { epoch }) };
  const ended = new Set<number>();
  for (const root of roots) for (const pid of (await endProcessTree(root, marker)).ended) ended.add(pid);
  return ended.size;
}

/** Whether every agent that an interrupted step had at work can go on in a conversation of its own. */
export function isInConversation(state: SessionState): boolean {
  const notes = state.notes.toArray();
  const tasks = new Map(notes.flatMap((note) => (note.type === 'task' ? [[note.task, note.status]] : [])));
  const open = [...tasks].filter(([, status]) => status === 'RUNNING' || status === 'WAITING_FOR_USER');
  const known = (task: string) =>
    notes.findLastIndex((note) => note.type === 'conversation' && note.task === task) >
    notes.findLastIndex((note) => note.type === 'task' && note.task === task && isStart(note));
  return open.length > 0 && open.every(([task]) => known(task));
}

function isStart(note: ProgressNote): boolean {
  return note.type === 'task' && note.status === 'RUNNING' && note.process !== undefined;
}

/** The agents that an interrupted step had at work. */
export function agentsAtWork(state: SessionState): readonly string[] {
  const last = new Map(
    state.notes.toArray().flatMap((note) => (note.type === 'task' ? [[note.task, note]] : [])),
  );
  return [...last.values()].flatMap((note) =>
    note.status === 'RUNNING' && note.agent !== undefined ? [note.agent] : [],
  );
}

/** The owner died between starting a process and noting it: only the marker in its environment tells. */
const NOT_RECORDED = { pid: 0, startTime: '' };

function processOf(note: ProgressNote): ProcessIdentity[] {
  if (note.type === 'process') return [note.process];
  return note.type === 'task' && note.status === 'RUNNING' && note.process ? [note.process] : [];
}
