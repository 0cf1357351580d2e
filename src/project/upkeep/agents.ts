import { formatAdapterProblem } from '../../agents/definition/parse.ts';
import { type AgentStatus, agentStatus } from '../../agents/resolve/agent-status.ts';
import { adaptersOf } from '../../workers/services.ts';
import type { OpenProject } from '../open.ts';
import { type Examined, examine } from './examine.ts';

export interface AgentsHere {
  readonly agents: readonly AgentStatus[];
  /** What is wrong with adapters of the project's own. */
  readonly problems: readonly string[];
}

/** What is installed, its version, how it was found, whether a login is seen, which modes work. */
export async function agents(opened: OpenProject): Promise<AgentsHere> {
  return { agents: await statuses(opened), problems: opened.adapterProblems.map(formatAdapterProblem) };
}

/** Everything a run in this project leans on, each with how to get it where it is missing. */
export async function doctor(
  opened: OpenProject,
): Promise<{ readonly findings: readonly Examined[]; readonly ok: boolean }> {
  const findings = await examine(opened, await statuses(opened));
  return { findings, ok: findings.every(({ level }) => level !== 'wrong') };
}

async function statuses({ project, config, services }: OpenProject): Promise<AgentStatus[]> {
  const adapters = adaptersOf(services);
  const options = { projectDir: project.dir, env: config.childEnv };
  const all = await Promise.all(adapters.types().map((type) => agentStatus(adapters, type, options)));
  return all.flatMap((status) => status ?? []);
}
