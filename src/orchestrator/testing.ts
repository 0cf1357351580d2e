import type { BlockDefinition, NodeDictionary } from '../manifest/definition.ts';
import type { ContextSegment } from '../manifest/segment.ts';
import type { WorkerContext, WorkerFunction, WorkerRun } from '../manifest/worker.ts';

/** Building blocks for engine tests; not part of the package. */

export function block(
  worker: string,
  transitions: Record<string, string> = {},
  more: Partial<BlockDefinition> = {},
) {
  return {
    worker,
    payload_merge_strategy: [],
    transitions: Object.entries(transitions).map(([signal, action]) => ({
      on_signal: `SIGNAL:${signal}`,
      action,
    })),
    ...more,
  };
}

/** Blocks joined in a row by SUCCESS; the last one ends the run. */
export function chain(...names: string[]): NodeDictionary {
  const blocks = names.map((name, i) => {
    const next = names[i + 1];
    return [name, block(name, next === undefined ? {} : { SUCCESS: `JUMP:${next}` })];
  });
  return { Main: { entry_block: names[0] ?? '', blocks: Object.fromEntries(blocks) } };
}

/** A worker that adds one segment and emits the signals in turn, repeating the last. */
export function emitting(...signals: string[]): WorkerFunction {
  let call = 0;
  return (context, run) => {
    const signal = signals[Math.min(call++, signals.length - 1)] ?? 'SUCCESS';
    return answer(
      context,
      `SIGNAL:${signal}`,
      run.segment('NOTE', `${context.system_metadata.block_id} ${signal}`),
    );
  };
}

export function answer(context: WorkerContext, signal: string, ...added: ContextSegment[]) {
  return { signal, new_payload: [...context.execution_payload, ...added] };
}

/** Remembers every context it was called with. */
export function recording(inner: WorkerFunction = emitting('SUCCESS')) {
  const contexts: WorkerContext[] = [];
  const worker: WorkerFunction = (context: WorkerContext, run: WorkerRun) => {
    contexts.push(context);
    return inner(context, run);
  };
  return { worker, contexts };
}

export function pathOf(trail: readonly { readonly block: string }[]): string[] {
  return trail.map((entry) => entry.block);
}

/** Three blocks in a row of which the second halts. */
export const HALTING = {
  N: {
    entry_block: 'A',
    blocks: {
      A: block('A', { SUCCESS: 'JUMP:B' }),
      B: block('B', { FAILURE: 'HALT_AND_FLAG', SUCCESS: 'JUMP:C' }),
      C: block('C'),
    },
  },
};
export const haltingWorkers = { A: emitting('SUCCESS'), B: emitting('FAILURE'), C: emitting('SUCCESS') };
