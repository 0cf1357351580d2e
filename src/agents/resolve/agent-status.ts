import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import type { Environment } from '../../process/child-env.ts';
import type { RunProcess } from '../../process/request.ts';
import { runProcess } from '../../process/run.ts';
import type { ExecutionMode } from '../adapter.ts';
import type { AdapterDefinition } from '../definition/shape.ts';
import type { AdapterRegistry } from '../registry/registry.ts';
import { type FoundBinary, findBinary } from './binary.ts';
import { type LoginState, loginState } from './login.ts';
import { type AgentVersion, agentVersion, isOlder } from './version.ts';

/** What is known about an agent on this machine without calling its provider. */
export interface AgentStatus {
  readonly type: string;
  readonly displayName: string;
  readonly icon?: string;
  /** Absent when it is not installed. */
  readonly binary?: FoundBinary;
  readonly version?: AgentVersion;
  readonly login: LoginState;
  /** The modes it can be run in; none when it is not installed. */
  readonly modes: readonly ExecutionMode[];
  /** Why it cannot be run, each with what to do. */
  readonly problems: readonly AgentProblem[];
}

export interface AgentProblem {
  readonly kind: 'missing' | 'version';
  readonly message: string;
  readonly next: string;
}

export interface StatusOptions {
  readonly projectDir: string;
  readonly env: Environment;
  /** A path that a person chose. */
  readonly command?: string;
  readonly run?: RunProcess;
}

/** Undefined for a type that was registered by code: nothing is known about its program. */
export async function agentStatus(
  registry: AdapterRegistry,
  type: string,
  options: StatusOptions,
): Promise<AgentStatus | undefined> {
  const definition = registry.definition(type);
  if (!definition) return undefined;
  const { displayName, icon, modes } = registry.metadata(type);
  const binary = find(registry, type, definition, options);
  const version = binary && (await versionOf(definition, binary, options));
  return {
    type,
    displayName,
    ...(icon === undefined ? {} : { icon }),
    ...(binary ? { binary } : {}),
    ...(version ? { version } : {}),
    login: loginState(definition.binary, options.env),
    modes: binary ? modes : [],
    problems: problemsOf(type, definition, options, binary, version),
  };
}

/** The program to start, or an error that says how to get it. */
export async function requireAgent(
  registry: AdapterRegistry,
  type: string,
  options: StatusOptions,
): Promise<FoundBinary | undefined> {
  const status = await agentStatus(registry, type, options);
  const [problem] = status?.problems ?? [];
  if (problem) throw new UsageError(problem.message, { next: problem.next });
  return status?.binary;
}

function find(
  registry: AdapterRegistry,
  type: string,
  { binary }: AdapterDefinition,
  { projectDir, env, command }: StatusOptions,
): FoundBinary | undefined {
  const place = { projectDir, env, ...(command === undefined ? {} : { explicit: command }) };
  // The adapter knows what the placeholders and relative paths in its command stand for.
  const [mode] = registry.metadata(type).modes;
  if (command !== undefined || mode === undefined) return findBinary(binary.command, place);
  const adapter = registry.create(type, { name: type, cwd: projectDir });
  return findBinary(adapter.getLaunchConfig(mode).command, place);
}

async function versionOf(
  { binary }: AdapterDefinition,
  { path, realPath }: FoundBinary,
  { projectDir, env, run = runProcess }: StatusOptions,
): Promise<AgentVersion | undefined> {
  if (binary.command === '{node}') return undefined;
  return agentVersion(binary, path, realPath, { run, cwd: projectDir, env });
}

function problemsOf(
  type: string,
  { binary }: AdapterDefinition,
  { projectDir, command }: StatusOptions,
  found: FoundBinary | undefined,
  version: AgentVersion | undefined,
): readonly AgentProblem[] {
  const { install, minimumVersion } = binary;
  if (!found) {
    const own = join(projectDir, 'node_modules', '.bin');
    const where =
      command === undefined
        ? `"${binary.command}" is neither in ${own} nor on the search path`
        : `${command} is not a program that can be run`;
    const next = install === undefined ? `Install it, or say where it is.` : `Install it with: ${install}`;
    return [{ kind: 'missing', message: `The agent ${type} is not installed: ${where}.`, next }];
  }
  if (!version || minimumVersion === undefined || !isOlder(version.version, minimumVersion)) return [];
  const message = `The agent ${type} is version ${version.version} (${found.path}); ${minimumVersion} or later is needed.`;
  const next = install === undefined ? 'Update it.' : `Update it with: ${install}`;
  return [{ kind: 'version', message, next }];
}
