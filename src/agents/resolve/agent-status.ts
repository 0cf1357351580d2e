import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import type { Environment } from '../../process/child-env.ts';
import type { RunProcess } from '../../process/request.ts';
import { runProcess } from '../../process/run.ts';
import type { ExecutionMode } from '../adapter.ts';
import type { AdapterDefinition } from '../definition/shape.ts';
import type { AdapterRegistry } from '../registry/registry.ts';
import { type FoundBinary, findBinary, pathOutside, type Search, shownIn } from './binary.ts';
import { type AgentVersion, agentVersion, isOlder } from './version.ts';

/** What is known about an agent on this machine without calling its provider. */
export interface AgentStatus {
  readonly type: string;
  readonly displayName: string;
  readonly icon?: string;
  /** Absent when it is not installed. */
  readonly binary?: FoundBinary;
  /** A program of its name that the repository brings along and that is not used. */
  readonly passedOver?: string;
  readonly version?: AgentVersion;
  /** The newest version that its adapter was tested with, where a newer one is installed. */
  readonly testedVersion?: string;
  readonly login: LoginState;
  /** The modes it can be run in; none when it is not installed. */
  readonly modes: readonly ExecutionMode[];
  /** Why it cannot be run, each with what to do. */
  readonly problems: readonly AgentProblem[];
}

export interface AgentProblem {
  readonly kind: 'missing' | 'repository' | 'version';
  readonly message: string;
  readonly next: string;
}

export interface StatusOptions {
  readonly projectDir: string;
  readonly env: Environment;
  /** A path that a person chose. */
  readonly command?: string;
  /** Agents whose program may be the repository's own; absent: any may. */
  readonly ownPrograms?: OwnPrograms | undefined;
  readonly run?: RunProcess;
}

/** Whose program a repository may bring along, and where a person says so. */
export interface OwnPrograms {
  readonly allowed: readonly string[];
  readonly file: string;
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
  const { found: binary, passedOver } = find(registry, type, definition, options);
  const version = binary && (await versionOf(definition, binary, options));
  return {
    type,
    displayName,
    ...(icon === undefined ? {} : { icon }),
    ...(binary ? { binary } : {}),
    ...(passedOver === undefined ? {} : { passedOver }),
    ...(version ? { version } : {}),
    ...newerThan(definition, version),
    login: loginState(definition.binary, options.env),
    modes: binary ? modes : [],
    problems: problemsOf(
      type,
      definition,
      options,
      { ...(binary ? { found: binary } : {}), ...(passedOver === undefined ? {} : { passedOver }) },
      version,
    ),
  };
}

/** A newer CLI is used all the same: most change nothing that an adapter rests on. */
function newerThan(
  { binary: { testedVersion } }: AdapterDefinition,
  version: AgentVersion | undefined,
): Pick<AgentStatus, 'testedVersion'> {
  if (!version || testedVersion === undefined || !isOlder(testedVersion, version.version)) return {};
  return { testedVersion };
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
  { projectDir, env, command, ownPrograms }: StatusOptions,
): Search {
  const ownAllowed = ownPrograms === undefined || ownPrograms.allowed.includes(type);
  const repository = [projectDir];
  const place = { repository, env, ownAllowed, ...(command === undefined ? {} : { explicit: command }) };
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
  return agentVersion(binary, path, realPath, { run, env: bareEnvironment(env, projectDir) });
}

/** What a program needs to say its version, and nothing that it could send anywhere. */
function bareEnvironment(env: Environment, projectDir: string): Environment {
  const kept = ['HOME', 'LANG', 'TMPDIR', 'SYSTEMROOT'].map((name) => [name, env[name]] as const);
  return { ...Object.fromEntries(kept), PATH: pathOutside(env['PATH'], [projectDir]) };
}

function problemsOf(
  type: string,
  { binary }: AdapterDefinition,
  { projectDir, command, ownPrograms }: StatusOptions,
  { found, passedOver }: Search,
  version: AgentVersion | undefined,
): readonly AgentProblem[] {
  const { install, minimumVersion } = binary;
  if (!found && passedOver !== undefined) {
    const message = `${type} is this repository's own ${shownIn(passedOver, [projectDir])}, which is not taken for the agent: it would get your login.`;
    const elsewhere = install === undefined ? 'Install it' : `Install it with: ${install}`;
    const next = `${elsewhere}, outside of the repository. If you trust this one, add "${type}" to repositoryPrograms in ${ownPrograms?.file ?? 'your settings'}.`;
    return [{ kind: 'repository', message, next }];
  }
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

/**
 * What can be told about being logged in without asking the provider. `unseen` is not a no: a CLI may keep its
 * login in a keychain.
 */
type LoginState =
  | { readonly state: 'not-needed' }
  /** By a variable or a file, which is named. */
  | { readonly state: 'seen'; readonly by: string }
  | { readonly state: 'unseen'; readonly how: string };

function loginState({ login }: AdapterDefinition['binary'], env: Environment): LoginState {
  if (!login) return { state: 'not-needed' };
  const variable = login.env.find((name) => (env[name] ?? '') !== '');
  if (variable !== undefined) return { state: 'seen', by: variable };
  const file = login.files.find((each) => {
    const path = expand(each, env);
    return path !== undefined && existsSync(path);
  });
  if (file !== undefined) return { state: 'seen', by: file };
  return { state: 'unseen', how: login.how ?? 'log in as its documentation says' };
}

/** `~/x` is in the home folder, `{NAME}/x` in the folder that a variable names. */
function expand(path: string, env: Environment): string | undefined {
  if (path.startsWith('~/')) return join(env['HOME'] ?? homedir(), path.slice(2));
  const named = /^\{(\w+)\}(.*)$/.exec(path);
  if (!named) return path;
  const folder = env[named[1] ?? ''];
  return folder === undefined || folder === '' ? undefined : join(folder, named[2] ?? '');
}
