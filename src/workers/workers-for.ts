import { childEnv } from '../config/child-env.ts';
import { createMasker } from '../kernel/mask.ts';
import type { RosterEntry } from '../manifest/definition.ts';
import { whoRuns } from '../manifest/model-name.ts';
import type { Worker, WorkerFunction, WorkerRegistry } from '../manifest/worker.ts';
import { agentWorker } from './agent/worker.ts';
import { internalWorkers } from './catalogue.ts';
import { program } from './program/worker.ts';
import { fromRecord, layered } from './registry.ts';
import type { WorkerServices } from './services.ts';

export interface WorkerSources extends Partial<WorkerServices> {
  /** Workers by name; built-in `Internal:*` ones are found without being listed and can be replaced here. */
  readonly workers: WorkerRegistry | { readonly [name: string]: Worker | WorkerFunction };
}

/** The caller's workers first, so that a built-in one can be replaced, then the catalogue. */
export function workersFor(sources: WorkerSources): WorkerRegistry {
  const given = isRegistry(sources.workers) ? sources.workers : fromRecord(sources.workers);
  return layered(given, internalWorkers(withDefaults(sources)));
}

/** Adds the programs and agents that a manifest's own roster names. */
export function withRoster(
  registry: WorkerRegistry,
  roster: { readonly [name: string]: RosterEntry },
  sources: WorkerSources,
): WorkerRegistry {
  const services = withDefaults(sources);
  const named = Object.entries(roster).flatMap(([name, entry]): [string, Worker][] => {
    const { command, persona } = entry;
    if (command) return [[name, program(command, services, persona)]];
    return whoRuns(entry).length === 0 ? [] : [[name, agentWorker(services, entry, name)]];
  });
  return layered(registry, fromRecord(Object.fromEntries(named)));
}

function withDefaults(sources: WorkerSources): WorkerServices {
  return { ...sources, baseEnv: sources.baseEnv ?? childEnv(), masker: sources.masker ?? createMasker([]) };
}

function isRegistry(workers: WorkerSources['workers']): workers is WorkerRegistry {
  return (
    typeof workers.get === 'function' && (workers.names === undefined || typeof workers.names === 'function')
  );
}
