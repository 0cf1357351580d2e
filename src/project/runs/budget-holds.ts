import { UsageError } from '../../kernel/errors.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { silentAgents, type Uncounted, uncounted } from '../../workers/agent/uncounted.ts';
import type { OpenProject } from '../open.ts';
import { FOLDER } from '../place.ts';

/** Refuses a budget that nobody could hold, before anything starts. */
export function requireBudgetHolds(
  manifest: ResolvedManifest,
  budget: Budget,
  { services }: OpenProject,
): void {
  const [first] = uncounted(manifest, budget, services);
  if (!first) return;
  const units = [
    ...(budget.usd === undefined ? [] : [`${budget.usd} USD`]),
    ...(budget.tokens === undefined ? [] : [`${budget.tokens} tokens`]),
  ];
  throw new UsageError(`${whyNot(first)}, so a budget of ${units.join(' and ')} cannot hold.`, {
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
  if (model !== undefined) return `Nobody knows what ${model} of ${agent} costs (worker ${worker})`;
  return mode === 'interactive'
    ? `${agent} reports neither tokens nor money on a terminal (worker ${worker})`
    : `${agent} reports neither tokens nor money (worker ${worker})`;
}

/** What a person should know about the figures of a run. */
export function countingNotes(manifest: ResolvedManifest, { services }: OpenProject): string[] {
  return silentAgents(manifest, services).map(
    (silent) => `${whyNot(silent)}: what it uses is not in the figures`,
  );
}
