import { agentStatus } from '../../agents/resolve/agent-status.ts';
import type { Role } from '../../config/runtime/settings.ts';
import { setAgent } from '../../config/write-config.ts';
import { UsageError } from '../../kernel/errors.ts';
import { isModelName } from '../../manifest/model-name.ts';
import { adaptersOf } from '../../workers/services.ts';
import type { OpenProject } from '../open.ts';
import { trustOwnWork } from '../trust/trust.ts';
import { isSaid, type OpenRuntime } from './open-runtime.ts';

/** How far down the line it is looked whether every task names its own agents. */
const LOOKED_AT = 500;

/** The agents of this machine that could be started now, without the one that only plays a script. */
export async function foundAgents({ project, config, services }: OpenProject): Promise<string[]> {
  const adapters = adaptersOf(services);
  const options = { projectDir: project.dir, env: config.childEnv, ownPrograms: services.ownPrograms };
  const all = await Promise.all(adapters.types().map((type) => agentStatus(adapters, type, options)));
  return all.flatMap((status) =>
    status && status.type !== 'scripted' && status.binary && status.problems.length === 0
      ? [status.type]
      : [],
  );
}

/** Which agents one could be chosen from; undefined: somebody has chosen already. */
export async function agentChoices(opened: OpenProject, role?: Role): Promise<readonly string[] | undefined> {
  return isChosen(opened, role) ? undefined : foundAgents(opened);
}

export function isChosen({ config: { runtime } }: OpenProject, role: Role | undefined): boolean {
  const of = role ?? runtime.values.runtime.role;
  return isSaid(runtime, 'agents.all') || isSaid(runtime, `agents.${of}`);
}

/** Writes down which agent does the work, for the backlog and for the blocks of the shipped workflows. */
export async function chooseAgent(opened: OpenProject, agent: string): Promise<{ readonly file: string }> {
  const adapters = adaptersOf(opened.services);
  if (!isModelName(agent)) adapters.metadata(agent);
  return trustOwnWork(opened, async () => ({ file: await setAgent(opened.project.dir, agent) }));
}

/** Nobody is sent to work who was not chosen: said before a task has lost an attempt to it. */
export async function checkAgentChosen(
  { opened, store }: OpenRuntime,
  role: Role,
  { once }: { readonly once: boolean },
): Promise<void> {
  if (isChosen(opened, role)) return;
  const line = await store.backlog.list({ states: ['queued'], role, limit: LOOKED_AT });
  // Whoever stays takes what comes later, and nobody knows whether that names its own.
  const namesOwn = line.every((task) => (task.agents ?? []).length > 0);
  if (namesOwn && (once || line.length > 0)) return;
  throw await noneChosen(opened, 'the backlog');
}

/** Research is the work of one agent, who must have been chosen. */
export async function requireResearcher(opened: OpenProject): Promise<void> {
  if (!isChosen(opened, 'worker')) throw await noneChosen(opened, 'research');
}

async function noneChosen(opened: OpenProject, purpose: string): Promise<UsageError> {
  const found = await foundAgents(opened);
  const here = found.length === 0 ? 'None is found on this machine' : `Found here: ${found.join(', ')}`;
  return new UsageError(`No agent was chosen for ${purpose}. ${here}.`, {
    next: `Set LLM_EXECUTOR (agents.all in .loopwright/config.json) to ${found[0] ?? 'the one to use'}, and run it again.`,
  });
}
