import { dirname, join } from 'node:path';
import type { AdapterProblem } from '../agents/definition/parse.ts';
import { projectRegistry } from '../agents/registry/project.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { ownAgents } from '../config/own-agents.ts';
import { keyAdvice } from '../config/providers.ts';
import { flowConfig } from '../config/runtime/flow-config.ts';
import type { JsonObject } from '../kernel/json.ts';
import { createMasker, type Masker } from '../kernel/mask.ts';
import { providerFinder } from '../models/find-provider.ts';
import { KeyFiles } from '../models/key-store.ts';
import type { OrchestratorServices } from '../orchestrator/services.ts';
import { SessionManager } from '../orchestrator/state/session-manager.ts';
import { ProjectSandbox } from '../process/sandbox/project-sandbox.ts';
import { createTreeFingerprint } from '../workspace/tree-fingerprint.ts';
import { findPlace, type Place } from './place.ts';

/** As much of a project as looking at its sessions needs. */
export interface ProjectSessions {
  readonly project: Place;
  readonly sessions: SessionManager;
}

/**
 * A project that is worked with. Its configuration is read when it is first needed: looking at sessions must work
 * while the configuration is broken.
 */
export interface OpenProject extends ProjectSessions {
  readonly config: Config;
  readonly services: ProjectServices;
  /** What is wrong with the adapters of the project; those are left out. */
  readonly adapterProblems: readonly AdapterProblem[];
}

export type ProjectServices = OrchestratorServices & {
  readonly sessions: SessionManager;
  readonly config: JsonObject;
  readonly masker: Masker;
};

const MINUTE = 60_000;

/** The same project with workers that are code of the caller. */
export function withWorkers(
  opened: OpenProject,
  workers: OrchestratorServices['workers'] | undefined,
): OpenProject {
  if (workers === undefined) return opened;
  const { project, sessions, config, services, adapterProblems } = opened;
  return { project, sessions, config, services: { ...services, workers }, adapterProblems };
}

export function openAt(dir?: string): OpenProject {
  const project = findPlace(dir);
  return openWith({ project, sessions: SessionManager.onDisk(project.sessions) });
}

/** The whole of a project whose sessions are open already. */
export function openWith({ project, sessions }: ProjectSessions): OpenProject {
  const config = once(() => loadConfig(project.dir));
  const registry = once(() => projectRegistry(project.dir));
  const services = once(() => servicesOf(project, sessions, config(), registry()));
  return {
    project,
    sessions,
    get config() {
      return config();
    },
    get services() {
      return services();
    },
    get adapterProblems() {
      return registry().problems;
    },
  };
}

function servicesOf(
  { dir }: Place,
  sessions: SessionManager,
  config: Config,
  { registry: adapters }: ReturnType<typeof projectRegistry>,
): ProjectServices {
  const tree = createTreeFingerprint(dir);
  return {
    workers: {},
    sessions,
    config: visibleConfig(config),
    baseEnv: config.childEnv,
    environment: config.environment,
    sandbox: new ProjectSandbox(config.sandbox),
    masker: createMasker(config.secretValues),
    timeoutMs: config.timeoutMinutes * MINUTE,
    commands: config.commands,
    prices: config.prices,
    models: {
      login: (provider) => keyAdvice(config.providers, provider),
      names: config.providers.map(({ name }) => name),
      find: providerFinder(config.providers, { env: config.childEnv, folder: dirname(config.user.file) }),
      keys: new KeyFiles(join(config.stateDir, 'model-keys')),
    },
    control: true,
    adapters,
    ownPrograms: {
      // What the project defines by itself was trusted with its files.
      allowed: [...config.user.repositoryPrograms, ...ownAgents(dir).map(([name]) => name)],
      file: config.user.file,
      repository: dir,
    },
    worktreePath: dir,
    tree: { identity: () => tree.fingerprint() },
  };
}

/** What `{{config.x}}` may name: settings of the project and of its task flows, nothing else of the environment. */
function visibleConfig({ commands, timeoutMinutes, runtime }: Config): JsonObject {
  return { commands, timeoutMinutes, ...flowConfig(runtime) };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
