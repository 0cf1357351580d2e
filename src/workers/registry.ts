import type { Worker, WorkerFunction, WorkerRegistry } from '../manifest/worker.ts';

export function fromRecord(workers: { readonly [name: string]: Worker | WorkerFunction }): WorkerRegistry {
  const known = new Map(Object.entries(workers).map(([name, worker]) => [name, asWorker(worker)]));
  return { get: (name) => known.get(name), names: () => [...known.keys()] };
}

/** The first registry that knows a name wins. Names are listed only if every registry can list its own. */
export function layered(...registries: readonly WorkerRegistry[]): WorkerRegistry {
  const get = (name: string): Worker | undefined => {
    for (const registry of registries) {
      const worker = registry.get(name);
      if (worker) return worker;
    }
    return undefined;
  };
  if (!registries.every((registry) => 'names' in registry)) return { get };
  const names = () => [...new Set(registries.flatMap((registry) => registry.names?.() ?? []))];
  return { get, names };
}

function asWorker(worker: Worker | WorkerFunction): Worker {
  if (typeof worker !== 'function') return worker;
  return { run: async (context, run) => worker(context, run) };
}
