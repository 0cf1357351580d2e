import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StorageError } from '../kernel/errors.ts';
import type { WorkerFunction } from '../manifest/worker.ts';
import { Orchestrator } from './orchestrator.ts';
import { MemoryStore } from './state/memory-store.ts';
import { SessionManager } from './state/session-manager.ts';
import { answer, chain } from './testing.ts';

/** A disk that is full from some moment on. */
class FillingStore extends MemoryStore {
  full = false;

  override claim(...args: Parameters<MemoryStore['claim']>): ReturnType<MemoryStore['claim']> {
    const claim = super.claim(...args);
    return {
      ...claim,
      append: (record, options) => {
        if (this.full) throw new StorageError('No room.', { reason: 'full' });
        claim.append(record, options);
      },
    };
  }
}

it.each([
  ['progress', (run: Parameters<WorkerFunction>[1]) => run.progress({ type: 'log', file: 'x' } as never)],
  ['usage', (run: Parameters<WorkerFunction>[1]) => run.usage({ tokens: 1 })],
])('a disk that fills up while an agent works ends the agent, not the process: %s', async (_, note) => {
  const store = new FillingStore();
  let cancelled = false;
  const agent: WorkerFunction = async (context, run) => {
    store.full = true;
    // As from the output of a process: nobody awaits it.
    setImmediate(() => note(run));
    await new Promise<void>((resolve) =>
      run.cancel.addEventListener('abort', () => {
        cancelled = true;
        resolve();
      }),
    );
    await nextTurn();
    return answer(context, 'SIGNAL:SUCCESS');
  };
  const orchestrator = new Orchestrator(
    { nodes: chain('A') },
    { workers: { A: agent }, sessions: new SessionManager(store) },
  );
  await expect(orchestrator.execute('Main')).rejects.toThrow(StorageError);
  expect(cancelled).toBe(true);
});
