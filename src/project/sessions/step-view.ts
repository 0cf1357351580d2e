import { action } from '../../kernel/action.ts';
import { NotFoundError } from '../../kernel/errors.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { InheritedMemory } from '../../orchestrator/engine/inherited.ts';
import { merge } from '../../orchestrator/engine/merge.ts';
import { apply } from '../../orchestrator/state/apply.ts';
import { FileStore } from '../../orchestrator/state/files/file-store.ts';
import type { StepRecord } from '../../orchestrator/state/record.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import { segmentsOf } from '../../orchestrator/state/stored-segments.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from './list.ts';

export interface StepView {
  readonly record: StepRecord;
  readonly worker: string;
  /** What the block added to it. */
  readonly added: readonly ContextSegment[];
  /** The history as the block was shown it. */
  readonly shown: readonly ContextSegment[];
}

/** What one step of a session was given and what it answered. */
export async function stepView(
  { project, sessions }: OpenProject,
  written: string | undefined,
  step: number,
): Promise<StepView & { readonly session: string }> {
  const session = findSession(sessions, written);
  return { session, ...viewStep(project.sessions, session, step) };
}

/** What one step was given and what it answered, computed from the journal as the engine did it then. */
export function viewStep(root: string, id: string, step: number): StepView {
  const stored = new FileStore(root).read(id);
  if (!stored)
    throw new NotFoundError(`There is no session ${id}.`, {
      next: action('session.list', 'List the sessions'),
    });
  let state: SessionState | undefined;
  for (const record of stored.records) {
    if (record.t === 'step' && record.ran && record.step === step && state) {
      const block = stored.manifest.blocks[record.block];
      const memory = block ? new InheritedMemory(stored.manifest).of(block.node, state.stack) : {};
      const shown = merge(block?.merge ?? [], state.history, memory).payload();
      return { record, worker: block?.worker ?? '', shown, added: segmentsOf(record.added) };
    }
    state = apply(state, record);
  }
  const last = state?.step ?? 0;
  throw new NotFoundError(`Session ${id} has no step ${step}.`, {
    next: last === 0 ? 'It has run no block yet.' : `It has steps 1 to ${last}.`,
  });
}
