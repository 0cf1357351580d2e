import type { ProcessIdentity } from '../../kernel/process-identity.ts';
import type { ProgressNote } from '../../manifest/progress-note.ts';
import { endProcessTree } from '../../process/end-tree.ts';
import type { SessionState } from './session-state.ts';

/** Processes of an interrupted step run on without their owner; two of them must not work in one tree. */
export async function endLeftovers(state: SessionState): Promise<void> {
  if (state.status !== 'running') return;
  const recorded = state.notes.toArray().flatMap(processOf);
  const roots = recorded.length === 0 ? [NOT_RECORDED] : recorded;
  for (const root of roots) await endProcessTree(root, { session: state.id });
}

/** The owner died between starting a process and noting it: only the marker in its environment tells. */
const NOT_RECORDED = { pid: 0, startTime: '' };

function processOf(note: ProgressNote): ProcessIdentity[] {
  if (note.type === 'process') return [note.process];
  return note.type === 'task' && note.status === 'RUNNING' && note.process ? [note.process] : [];
}
