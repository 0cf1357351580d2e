// What is measured of loopwright: the built package, as a user has it.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Orchestrator, SessionManager } from '../dist/index.js';
import { noteOf } from './note.mjs';

const worker = (context, step) => ({
  signal: context.system_metadata.step < worker.steps ? 'SIGNAL:NEXT' : 'SIGNAL:DONE',
  new_payload: [
    ...context.execution_payload,
    step.segment('NOTE', noteOf(context.system_metadata.step, worker.size)),
  ],
});

const transitions = (next) => [
  { on_signal: 'SIGNAL:NEXT', action: `JUMP:${next}` },
  { on_signal: 'SIGNAL:DONE', action: 'RETURN' },
];

export function manifestFor(shape, steps, strategy = []) {
  const block = (next) => ({ worker: 'W', payload_merge_strategy: strategy, transitions: transitions(next) });
  const count = shape === 'loop' ? 1 : steps;
  const blocks = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`B${i}`, block(`B${Math.min(i + 1, count - 1)}`)]),
  );
  return { nodes: { Main: { entry_block: 'B0', blocks } }, budget: { steps: steps + 1 } };
}

export async function run({ shape, steps, strategy, durable, size, onStep }) {
  const root = mkdtempSync(join(tmpdir(), 'lw-bench-'));
  try {
    worker.steps = steps;
    worker.size = size;
    const sessions = durable ? SessionManager.onDisk(root) : SessionManager.inMemory();
    const orchestrator = new Orchestrator(manifestFor(shape, steps, strategy), {
      workers: { W: worker },
      sessions,
    });
    if (onStep)
      orchestrator.events.subscribe(
        (event) => event.type === 'step.finished' && onStep(event.entry.step, root),
      );
    const began = performance.now();
    const end = await orchestrator.execute('Main');
    const ms = performance.now() - began;
    if (end.status !== 'completed' || end.used.steps !== steps)
      throw new Error(`ran ${end.used.steps} of ${steps} steps`);
    return {
      ms,
      load: durable ? () => timeOf(() => SessionManager.onDisk(root).load(end.sessionId)) : undefined,
      root,
    };
  } finally {
    process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  }
}

function timeOf(action) {
  const began = performance.now();
  action();
  return performance.now() - began;
}

export function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith('journal.'))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
