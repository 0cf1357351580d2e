import type { ExecutionMode } from '../../agents/adapter.ts';
import { countedBy } from '../../agents/pricing/counted.ts';
import { hasPrice } from '../../agents/pricing/price.ts';
import type { Budget, RosterEntry } from '../../manifest/definition.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { RUN_STAGE, type StageParameters } from '../../manifest/stages/definition.ts';
import { adaptersOf, type WorkerServices } from '../services.ts';
import { entryFrom } from './entry.ts';
import { settingsOf } from './job.ts';

/** An agent of a workflow whose use a budget could not hold. */
export interface Uncounted {
  readonly worker: string;
  readonly agent: string;
  readonly mode: ExecutionMode;
  /** Named, and nobody knows what it costs. */
  readonly model?: string;
}

type Sources = Pick<WorkerServices, 'adapters' | 'prices'>;

/** The agents of a workflow for which a budget of money or tokens would be an empty word. */
export function uncounted(manifest: ResolvedManifest, budget: Budget, services: Sources): Uncounted[] {
  if (budget.usd === undefined && budget.tokens === undefined) return [];
  return agentsIn(manifest)
    .filter(({ agent, mode, entry }) => {
      const definition = adaptersOf(services).definition(agent);
      if (!definition) return false;
      const counted = countedBy(definition, mode, settingsOf(entry));
      if (counted === 'nothing') return true;
      const unpriced = entry.model !== undefined && !hasPrice(entry.model, services.prices);
      return budget.usd !== undefined && counted === 'tokens' && unpriced;
    })
    .map(({ worker, agent, mode, entry }) => {
      const definition = adaptersOf(services).definition(agent);
      const tells = definition && countedBy(definition, mode, settingsOf(entry)) === 'tokens';
      return { worker, agent, mode, ...(tells && entry.model !== undefined ? { model: entry.model } : {}) };
    });
}

/** The agents whose use nobody reports, with or without a budget. */
export function silentAgents(manifest: ResolvedManifest, services: Sources): Uncounted[] {
  return uncounted(manifest, { tokens: 0 }, services);
}

interface Named {
  readonly worker: string;
  readonly agent: string;
  readonly mode: ExecutionMode;
  readonly entry: Partial<RosterEntry>;
}

function agentsIn(manifest: ResolvedManifest): Named[] {
  const found = Object.values(manifest.blocks).flatMap((block): Named[] => {
    if (block.worker === RUN_STAGE) {
      const { tasks } = block.with as unknown as StageParameters;
      return tasks.map(({ id, adapter, executionMode = 'interactive', ...entry }) => ({
        worker: id,
        agent: adapter,
        mode: executionMode,
        entry,
      }));
    }
    const roster = manifest.workers[block.worker];
    if (block.worker !== 'agent' && roster?.agent === undefined && roster?.agents === undefined) return [];
    const entry = entryFrom(roster ?? {}, block.with);
    const agents = entry.agents ?? (entry.agent === undefined ? [] : [entry.agent]);
    return agents.map((agent) => ({ worker: block.worker, agent, mode: entry.mode ?? 'headless', entry }));
  });
  const keyOf = ({ worker, agent, mode, entry }: Named) => JSON.stringify([worker, agent, mode, entry.model]);
  return [...new Map(found.map((each) => [keyOf(each), each])).values()];
}
