import { UsageError } from '../../kernel/errors.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { InheritedMemory } from '../../orchestrator/engine/inherited.ts';
import { merge } from '../../orchestrator/engine/merge.ts';
import { apply } from '../../orchestrator/state/apply.ts';
import { FileStore } from '../../orchestrator/state/files/file-store.ts';
import type { StepRecord } from '../../orchestrator/state/record.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';

export interface StepView {
  readonly record: StepRecord;
  readonly worker: string;
  /** The history as the block was shown it. */
  readonly shown: readonly ContextSegment[];
}

/** What one step was given and what it answered, computed from the journal as the engine did it then. */
export function viewStep(root: string, id: string, step: number): StepView {
  const stored = new FileStore(root).read(id);
  if (!stored)
    throw new UsageError(`There is no session ${id}.`, { next: 'List them with `loopwright sessions`.' });
  let state: SessionState | undefined;
  for (const record of stored.records) {
    if (record.t === 'step' && record.ran && record.step === step && state) {
      const block = stored.manifest.blocks[record.block];
      const memory = block ? new InheritedMemory(stored.manifest).of(block.node, state.stack) : {};
      const shown = merge(block?.merge ?? [], state.history, memory).payload();
      return { record, worker: block?.worker ?? '', shown };
    }
    state = apply(state, record);
  }
  const last = state?.step ?? 0;
  throw new UsageError(`Session ${id} has no step ${step}.`, {
    next: last === 0 ? 'It has run no block yet.' : `It has steps 1 to ${last}.`,
  });
}
