import type { Worker, WorkerRegistry } from '../../manifest/worker.ts';
import { layered } from '../../workers/registry.ts';
import { type WorkerSources, workersFor } from '../../workers/workers-for.ts';

/**
 * The workers that validation may know. One that the manifest only describes counts as known: whether anything
 * runs it is a matter of the project, not of the manifest.
 */
export function knownWorkers(sources: WorkerSources, described: readonly string[]): WorkerRegistry {
  const stand: Worker = {
    run: async () => {
      throw new Error('this worker only stands for a name');
    },
  };
  const names = new Set(described);
  return layered(workersFor(sources), {
    get: (name) => (names.has(name) ? stand : undefined),
    names: () => described,
  });
}
