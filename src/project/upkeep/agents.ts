import { formatAdapterProblem } from '../../agents/definition/parse.ts';
import { AdapterRegistry } from '../../agents/registry/registry.ts';
import { type AgentStatus, agentStatus } from '../../agents/resolve/agent-status.ts';
import { ownAgents } from '../../config/own-agents.ts';
import { processEnvironment } from '../../config/terminal.ts';
import { lookAtTrust } from '../../config/trust/project-trust.ts';
import { action } from '../../kernel/action.ts';
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
  const { all, untrusted } = await statuses(opened);
  return { agents: all, problems: [...opened.adapterProblems.map(formatAdapterProblem), ...untrusted] };
}

/** Everything a run in this project leans on, each with how to get it where it is missing. */
export async function doctor(
  opened: OpenProject,
): Promise<{ readonly findings: readonly Examined[]; readonly ok: boolean }> {
  const { all, untrusted } = await statuses(opened);
  const notes = untrusted.map(
    (what): Examined => ({
      level: 'note',
      what,
      next: action('project.trust', 'Look at what it would run, then trust it'),
    }),
  );
  const findings = [...(await examine(opened, all)), ...notes];
  return { findings, ok: findings.every(({ level }) => level !== 'wrong') };
}

interface Statuses {
  readonly all: readonly AgentStatus[];
  /** What of the project was left out because nobody trusts it, in words. */
  readonly untrusted: readonly string[];
}

/** Nothing that a project brings along is started or believed before it is trusted, not even to ask for its version. */
async function statuses({ project, config, services }: OpenProject): Promise<Statuses> {
  const { decision } = lookAtTrust(project.dir, processEnvironment());
  const own = decision.trusted ? [] : ownAgents(project.dir).map(([name]) => name);
  const adapters = decision.trusted ? adaptersOf(services) : new AdapterRegistry();
  const { repositoryPrograms, file } = config.user;
  const ownPrograms = decision.trusted ? services.ownPrograms : { allowed: repositoryPrograms, file };
  const options = { projectDir: project.dir, env: config.childEnv, ownPrograms };
  const all = await Promise.all(adapters.types().map((type) => agentStatus(adapters, type, options)));
  const left = `Agents that the project defines by itself are not looked at before you trust it: ${own.join(', ')}.`;
  return { all: all.flatMap((status) => status ?? []), untrusted: own.length === 0 ? [] : [left] };
}
