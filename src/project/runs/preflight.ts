import { requireAgent } from '../../agents/resolve/agent-status.ts';
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
    if (adapters.has(agent)) {
      await requireAgent(adapters, agent, {
        projectDir: project.dir,
        env: config.childEnv,
        ownPrograms: services.ownPrograms,
      });
    }
  }
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

function firstOf({
  agents,
  agent,
}: {
  readonly agents?: unknown;
  readonly agent?: unknown;
}): string | undefined {
  const first: unknown = Array.isArray(agents) ? agents[0] : agent;
  return typeof first === 'string' ? first : undefined;
}
