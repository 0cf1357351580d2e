import { requireAgent } from '../../agents/resolve/agent-status.ts';
import { isJsonObject } from '../../kernel/json.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import { RUN_STAGE, type StageParameters } from '../../manifest/stages/definition.ts';
import { adaptersOf } from '../../workers/adapters.ts';
import type { OpenProject } from '../open-project.ts';

/** Refuses before anything is made when an agent that will be needed is not installed, or too old. */
export async function checkAgents(
  manifest: ResolvedManifest,
  { project, config, services }: OpenProject,
): Promise<void> {
  const adapters = adaptersOf(services);
  for (const agent of agentsOf(manifest)) {
    if (adapters.has(agent)) {
      await requireAgent(adapters, agent, { projectDir: project.dir, env: config.childEnv });
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
    const own = isJsonObject(block.with) ? block.with : {};
    const entry = manifest.workers[block.worker];
    const [first] = entry?.agents ?? [
      entry?.agent ?? (typeof own['agent'] === 'string' ? own['agent'] : undefined),
    ];
    if (first !== undefined) needed.add(first);
  }
  return needed;
}
