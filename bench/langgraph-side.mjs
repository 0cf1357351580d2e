// The same graphs on LangGraph.js with the checkpointers it ships.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { noteOf } from './note.mjs';

const State = Annotation.Root({
  step: Annotation({ reducer: (_, next) => next, default: () => 0 }),
  notes: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
});

function graphFor(shape, steps, size) {
  const node = ({ step }) => ({
    step: step + 1,
    notes: [{ id: `${step + 1}.1`, type: 'NOTE', content: noteOf(step + 1, size) }],
  });
  let graph = new StateGraph(State);
  if (shape === 'loop') {
    graph = graph.addNode('B0', node).addEdge(START, 'B0');
    return graph.addConditionalEdges('B0', ({ step }) => (step < steps ? 'B0' : END));
  }
  for (let i = 0; i < steps; i++) graph = graph.addNode(`B${i}`, node);
  graph = graph.addEdge(START, 'B0');
  for (let i = 0; i < steps - 1; i++) graph = graph.addEdge(`B${i}`, `B${i + 1}`);
  return graph.addEdge(`B${steps - 1}`, END);
}

export async function run({ shape, steps, durable, size, full }) {
  const root = mkdtempSync(join(tmpdir(), 'lg-bench-'));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  const checkpointer = durable ? SqliteSaver.fromConnString(join(root, 'langgraph.db')) : new MemorySaver();
  // The saver turns on WAL when it first sets up its tables, and SQLite flushes a WAL on every commit only with FULL.
  if (full) checkpointer.db.pragma('synchronous = FULL');
  const app = graphFor(shape, steps, size).compile({ checkpointer });
  const config = { configurable: { thread_id: 'bench' }, recursionLimit: steps + 10 };
  const began = performance.now();
  const end = await app.invoke({}, config);
  const ms = performance.now() - began;
  if (end.notes.length !== steps) throw new Error(`ran ${end.notes.length} of ${steps} steps`);
  const settings = durable
    ? {
        journal_mode: checkpointer.db.pragma('journal_mode', { simple: true }),
        synchronous: checkpointer.db.pragma('synchronous', { simple: true }),
      }
    : undefined;
  const load = async () => {
    const started = performance.now();
    await app.getState({ configurable: { thread_id: 'bench' } });
    return performance.now() - started;
  };
  return { ms, settings, load };
}
