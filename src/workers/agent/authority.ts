import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Permissions } from '../../agents/adapter.ts';
import type { AdapterDefinition } from '../../agents/definition/shape.ts';
import { parseModelName } from '../../manifest/model-name.ts';
import type { Environment } from '../../process/child-env.ts';
import { environmentFor } from '../../process/environment.ts';
import { hostOfUrl } from '../../process/sandbox/host-list.ts';
import { NO_SANDBOX } from '../../process/sandbox/project-sandbox.ts';
import type { Wall } from '../../process/sandbox/walls.ts';
import { adaptersOf, type WorkerServices } from '../services.ts';
import type { AgentTask } from './job.ts';

/** What an agent gets of the environment: what every program needs, its own provider's variables, what was granted. */
export function agentEnvironment(services: WorkerServices, agent: string): Environment {
  const { variables, login } = ownOf(services, agent);
  const granted = [...variables, ...login, ...(services.environment?.agent ?? [])];
  return environmentFor('agent', services.baseEnv, granted);
}

/** The wall around an agent: its tree, its own folders, its provider's hosts. */
export async function agentWall(
  services: WorkerServices,
  { agent, env }: Pick<AgentTask, 'agent' | 'env'>,
  tree: string,
): Promise<Wall | undefined> {
  const { folders, hosts, variables } = ownOf(services, agent);
  const known = { ...environmentFor('agent', services.baseEnv, variables), ...env };
  const own = folders.flatMap((path) => expanded(path, known) ?? []);
  return services.sandbox?.wallFor({
    kind: 'agent',
    tree,
    own,
    hosts: [...hosts, ...namedHosts(known, variables)],
  });
}

/** Which walls stand around an agent and around the commands it runs: part of the evidence. */
export async function agentSandbox(
  services: WorkerServices,
  agent: string,
  permissions: Permissions = 'edits',
): Promise<string | undefined> {
  const wall = await services.sandbox?.evidence();
  const encloses = ownOf(services, agent).ownSandbox.includes(permissions);
  if (wall === undefined || !encloses) return wall;
  return wall.startsWith(NO_SANDBOX)
    ? `${wall}; only ${agent}'s own sandbox holds the commands it runs`
    : `${wall}; inside of it ${agent}'s own sandbox holds the commands it runs`;
}

/** How a person logs in to an agent, in the words of its definition. */
export function loginWords(services: WorkerServices, agent: string): string | undefined {
  const model = parseModelName(agent);
  if (model) return services.models?.login(model.provider);
  return adaptersOf(services).definition(agent)?.binary.login?.how;
}

function ownOf(services: WorkerServices, agent: string) {
  const binary: Partial<AdapterDefinition['binary']> = adaptersOf(services).definition(agent)?.binary ?? {};
  const { variables = [], folders = [], hosts = [], ownSandbox = [], login } = binary;
  return { variables, folders, hosts, ownSandbox, login: login?.env ?? [] };
}

/** A provider at another address: a gateway, or a model server on this machine. */
function namedHosts(env: Environment, variables: readonly string[]): string[] {
  const prefixes = variables.map((name) => name.replace(/\*$/, ''));
  return Object.entries(env).flatMap(([name, value]) => {
    const isOwn = /(?:URL|ENDPOINT|HOST)$/.test(name) && prefixes.some((prefix) => name.startsWith(prefix));
    return (isOwn && value !== undefined && hostOfUrl(value)) || [];
  });
}

/** `~/x` is in the home folder, `{NAME}/x` in the folder that a variable names; one that is not set names none. */
function expanded(path: string, env: Environment): string | undefined {
  if (path.startsWith('~/')) return join(env['HOME'] ?? homedir(), path.slice(2));
  const [, name = '', rest = ''] = /^\{(\w+)\}(.*)$/.exec(path) ?? [];
  if (name === '') return path;
  const folder = env[name] ?? '';
  return folder === '' ? undefined : join(folder, rest);
}
