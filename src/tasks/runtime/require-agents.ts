import type { AdapterRegistry } from '../../agents/registry/registry.ts';
import { agentStatus, type StatusOptions } from '../../agents/resolve/agent-status.ts';
import { UsageError } from '../../kernel/errors.ts';
import { isModelName } from '../../manifest/model-name.ts';

/** None of the agents of a task can be run on this machine; each is named with how to get it. */
export class AgentMissingError extends UsageError {}

/** Gives those of the agents that can be run here; throws when there is none. */
export type RequireAgents = (agents: readonly string[]) => Promise<readonly string[]>;

/** What was found once is not looked for again; what is missing is, because somebody may install it. */
export function requireAgents(adapters: AdapterRegistry, options: StatusOptions): RequireAgents {
  const found = new Set<string>();
  return async (agents) => {
    const missing: { readonly message: string; readonly next: string }[] = [];
    const here: string[] = [];
    for (const agent of agents) {
      const problem = found.has(agent) ? undefined : await problemOf(adapters, agent, options);
      if (problem) missing.push(problem);
      else here.push(agent);
    }
    for (const agent of here) found.add(agent);
    if (here.length > 0 || agents.length === 0) return here;
    const next = missing.map((problem) => problem.next).join(' ');
    throw new AgentMissingError(missing.map(({ message }) => message).join(' '), { next });
  };
}

async function problemOf(adapters: AdapterRegistry, agent: string, options: StatusOptions) {
  // Whether a model answers is found out by calling it.
  if (isModelName(agent)) return undefined;
  if (adapters.has(agent)) return (await agentStatus(adapters, agent, options))?.problems[0];
  const known = adapters.types().join(', ');
  return {
    message: `There is no agent "${agent}".`,
    next: `Use one of ${known}, or describe it in .loopwright/adapters/${agent}.json.`,
  };
}
