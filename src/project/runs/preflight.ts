import { requireAgent } from '../../agents/resolve/agent-status.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { RosterEntry } from '../../manifest/definition.ts';
import { parseModelName, whoRuns } from '../../manifest/model-name.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { RUN_STAGE, type StageParameters } from '../../manifest/stages/definition.ts';
import { adaptersOf } from '../../workers/services.ts';
import type { OpenProject } from '../open.ts';

/** Refuses before anything is made when an agent that will be needed is not installed, or too old. */
export async function checkAgents(
  manifest: ResolvedManifest,
  { project, config, services }: OpenProject,
): Promise<void> {
  const adapters = adaptersOf(services);
  for (const agent of agentsOf(manifest)) {
    const model = parseModelName(agent);
    if (model) await requireKey(model.provider, services);
    else if (adapters.has(agent)) {
      await requireAgent(adapters, agent, {
        projectDir: project.dir,
        env: config.childEnv,
        ownPrograms: services.ownPrograms,
      });
    }
  }
}

/** A model that nobody can open the door to would be noticed only when its block is reached. */
async function requireKey(provider: string, { models }: OpenProject['services']): Promise<void> {
  const found = await models?.find(provider);
  if (!models || !found || found.keys.length > 0) return;
  const how = models.login(provider);
  throw new UsageError(`There is no key for the models of ${provider}.`, {
    next: `${how.charAt(0).toUpperCase()}${how.slice(1)}, then try again.`,
  });
}

/** The first agent of every list that a block uses: the others only stand in for it. */
function agentsOf(manifest: ResolvedManifest): Set<string> {
  const needed = new Set<string>();
  for (const block of Object.values(manifest.blocks)) {
    if (block.worker === RUN_STAGE) {
      const { tasks } = block.with as unknown as StageParameters;
      for (const task of tasks) needed.add(task.adapter);
      continue;
    }
    const entry = manifest.workers[block.worker] ?? {};
    // Only an agent reads what a block says about one.
    const isAgent = block.worker === 'agent' || firstOf(entry) !== undefined;
    const first = (isAgent ? firstOf(block.with) : undefined) ?? firstOf(entry);
    if (first !== undefined) needed.add(first);
  }
  return needed;
}

function firstOf(entry: JsonObject | RosterEntry): string | undefined {
  const first: unknown = whoRuns(entry)[0];
  return typeof first === 'string' ? first : undefined;
}
