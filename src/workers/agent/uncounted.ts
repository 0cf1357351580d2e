import type { ExecutionMode } from '../../agents/adapter.ts';
import { countedBy } from '../../agents/pricing/counted.ts';
import { hasPrice } from '../../agents/pricing/price.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { Budget, RosterEntry } from '../../manifest/definition.ts';
import { isModelName, whoRuns } from '../../manifest/model-name.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { RUN_STAGE, type StageParameters } from '../../manifest/stages/definition.ts';
import { adaptersOf, type WorkerServices } from '../services.ts';
import { entryFrom } from './entry.ts';
import { settingsOf } from './job.ts';

/** A budget that nobody could hold: nothing is started with it. */
export class UnheldBudgetError extends UsageError {}

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
  return agentsIn(manifest).flatMap((named) => uncountedAgent(named, budget, services) ?? []);
}

/** One agent for which a budget of money or tokens would be an empty word; undefined: it holds. */
export function uncountedAgent(named: Named, budget: Budget, services: Sources): Uncounted | undefined {
  if (budget.usd === undefined && budget.tokens === undefined) return undefined;
  const { worker, agent, mode, entry } = named;
  if (isModelName(agent))
    return budget.usd === undefined || isPriced(agent, services)
      ? undefined
      : { worker, agent, mode, model: agent };
  const definition = adaptersOf(services).definition(agent);
  if (!definition) return undefined;
  const counted = countedBy(definition, mode, settingsOf(entry));
  const about = { worker, agent, mode };
  if (counted === 'nothing') return about;
  const { model } = entry;
  if (counted !== 'tokens' || budget.usd === undefined || model === undefined) return undefined;
  return hasPrice(model, services.prices) ? undefined : { ...about, model };
}

/** By the name of the provider's own, or with the provider. */
function isPriced(model: string, { prices }: Sources): boolean {
  return hasPrice(model, prices) || hasPrice(model.replace(/^[^/]+\//, ''), prices);
}

/** The agents whose use nobody reports, with or without a budget. */
export function silentAgents(manifest: ResolvedManifest, services: Sources): Uncounted[] {
  return uncounted(manifest, { tokens: 0 }, services);
}

export interface Named {
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
    if (block.worker !== 'agent' && whoRuns(roster ?? {}).length === 0) return [];
    const entry = entryFrom(roster ?? {}, block.with);
    return whoRuns(entry).map((agent) => ({
      worker: block.worker,
      agent,
      mode: entry.mode ?? 'headless',
      entry,
    }));
  });
  const keyOf = ({ worker, agent, mode, entry }: Named) => JSON.stringify([worker, agent, mode, entry.model]);
  return [...new Map(found.map((each) => [keyOf(each), each])).values()];
}
