import { errorMessage } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { RosterDefinition, RosterEntry } from '../definition.ts';
import { whoRuns } from '../model-name.ts';
import { inside, type ProblemReport, quote } from '../problem.ts';
import type { Worker, WorkerRegistry } from '../worker.ts';
import type { Draft, DraftBlock } from './draft.ts';

const BUILT_IN = 'Internal:';
/** The registered worker that runs the agents of the roster. */
const AGENT_WORKER = 'agent';

/** Finds the worker of a block, or reports that there is none; undefined where only running will tell. */
export function checkWorker(
  block: DraftBlock,
  draft: Draft,
  registry: WorkerRegistry | undefined,
  report: ProblemReport,
): Worker | undefined {
  const name = block.fields.worker;
  if (name === undefined || !registry) return undefined;
  const worker = registry.get(name);
  if (worker) return worker;
  const place = inside(block.place, 'worker');
  const entry = Object.hasOwn(draft.workers, name) ? draft.workers[name] : undefined;
  if (entry && !name.startsWith(BUILT_IN)) {
    const problem = unusable(name, entry, registry);
    if (problem) report.error(place, problem);
    return entry.command ? undefined : registry.get(AGENT_WORKER);
  }
  const known = registry.names?.();
  if (name.startsWith(BUILT_IN)) {
    const builtIn = known?.filter((other) => other.startsWith(BUILT_IN)) ?? [];
    report.error(place, `There is no built-in worker ${quote(name)}.${didYouMean(name, builtIn)}`);
  } else if (known) {
    const hint = didYouMean(name, [...known, ...Object.keys(draft.workers)]);
    report.error(
      place,
      `There is no worker ${quote(name)}; name a registered worker, or add ${quote(name)} under "workers".${hint}`,
    );
  }
  return undefined;
}

/** Reports roster entries that say two things at once, and what the agent worker has against the others. */
export function checkRoster(
  roster: { readonly [name: string]: RosterEntry },
  registry: WorkerRegistry | undefined,
  report: ProblemReport,
): void {
  const runner = registry?.get(AGENT_WORKER);
  for (const [name, entry] of Object.entries(roster)) {
    const { command, agent, agents, models } = entry;
    if (whoRuns(entry).length > 0) {
      for (const { warning, message } of runner?.checkRoster?.(entry) ?? []) {
        const place = { path: ['workers', name] };
        if (warning) report.warning(place, `Worker ${quote(name)}: ${message}`);
        else report.error(place, `Worker ${quote(name)}: ${message}`);
      }
    }
    const said = [command && 'command', agent && 'agent', agents && 'agents', models && 'models'].filter(
      Boolean,
    );
    if (said.length <= 1) continue;
    report.error(
      { path: ['workers', name] },
      `Worker ${quote(name)} has ${said.join(' and ')}; keep one of them.`,
    );
  }
}

/** Reports what a worker has against the parameters of a block. */
export function checkWith(
  block: DraftBlock,
  worker: Worker | undefined,
  parameters: JsonObject,
  report: ProblemReport,
): void {
  const place = inside(block.place, 'with');
  try {
    const problems = worker?.checkWith?.(parameters) ?? [];
    for (const problem of problems) report.error(place, problem);
    if (problems.length > 0) return;
    for (const warning of worker?.warnAboutWith?.(parameters) ?? []) report.warning(place, warning);
  } catch (error) {
    report.error(
      place,
      `${quote(block.fields.worker)} could not check its parameters: ${errorMessage(error)}`,
    );
  }
}

function unusable(name: string, entry: RosterDefinition, registry: WorkerRegistry): string | undefined {
  if (entry.command) return undefined;
  if (whoRuns(entry).length === 0) {
    return `Worker ${quote(name)} of the roster does not say what runs it; give it a "command", an "agent", "agents", or a "model" as provider/model.`;
  }
  if (registry.get(AGENT_WORKER)) return undefined;
  return `Worker ${quote(name)} runs an agent, but no agent worker is available here; give it a "command", or register a worker named "${AGENT_WORKER}".`;
}
