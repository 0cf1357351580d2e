import type { Budget } from '../../manifest/definition.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import {
  silentAgents,
  type Uncounted,
  UnheldBudgetError,
  uncounted,
  uncountedAgent,
} from '../../workers/agent/uncounted.ts';
import type { OpenProject } from '../open.ts';
import { FOLDER } from '../place.ts';

/** Refuses a budget that nobody could hold, before anything starts. */
export function requireBudgetHolds(
  manifest: ResolvedManifest,
  budget: Budget,
  { services }: OpenProject,
): void {
  const [first] = uncounted(manifest, budget, services);
  if (first) throw unheld(first, budget);
}

/**
 * The same for a task of the backlog: it is played by its own agents or by those of the runtime, with the model of its
 * role.
 */
export function requireTaskBudgetHolds(
  { agents, model, budget }: { agents: readonly string[]; model: string | undefined; budget: Budget },
  { services }: OpenProject,
): void {
  const entry = model === undefined ? {} : { model };
  for (const agent of agents) {
    const named = { worker: 'the task', agent, mode: 'headless', entry } as const;
    const first = uncountedAgent(named, budget, services);
    if (first) throw unheld(first, budget);
  }
}

function unheld(first: Uncounted, budget: Budget): UnheldBudgetError {
  const units = [
    ...(budget.usd === undefined ? [] : [`${budget.usd} USD`]),
    ...(budget.tokens === undefined ? [] : [`${budget.tokens} tokens`]),
  ];
  return new UnheldBudgetError(`${whyNot(first)}, so a budget of ${units.join(' and ')} cannot hold.`, {
    next: first.model === undefined ? SILENT : priceAdvice(first.model),
  });
}

const SILENT =
  'Nothing was started. Run it headless with an agent that reports what it uses, or give a budget of minutes or steps.';

function priceAdvice(model: string): string {
  const prices = JSON.stringify({ prices: { [model]: { input: 1.25, output: 10, cached: 0.125 } } });
  return `Nothing was started. Give a budget of tokens instead (such as tokens=200000), or put what it costs per million tokens into ${FOLDER}/config.json: ${prices}`;
}

function whyNot({ worker, agent, mode, model }: Uncounted): string {
  if (model !== undefined) return `Nobody knows what ${model} of ${agent} costs (${whoIs(worker)})`;
  return mode === 'interactive'
    ? `${agent} reports neither tokens nor money on a terminal (${whoIs(worker)})`
    : `${agent} reports neither tokens nor money (${whoIs(worker)})`;
}

function whoIs(worker: string): string {
  return worker === 'the task' ? worker : `worker ${worker}`;
}

/** What a person should know about the figures of a run. */
export function countingNotes(manifest: ResolvedManifest, { services }: OpenProject): string[] {
  return silentAgents(manifest, services).map(
    (silent) => `${whyNot(silent)}: what it uses is not in the figures`,
  );
}
