import type { AdapterProblem } from '../agents/definition/parse.ts';
import { projectRegistry } from '../agents/registry/project.ts';
import { type Config, loadConfig } from '../config/load-config.ts';
import { flowConfig } from '../config/runtime/flow-config.ts';
import type { JsonObject } from '../kernel/json.ts';
import { createMasker, type Masker } from '../kernel/mask.ts';
import type { OrchestratorServices } from '../orchestrator/services.ts';
import type { SessionManager } from '../orchestrator/state/session-manager.ts';
import { createTreeFingerprint } from '../workspace/tree-fingerprint.ts';
import { openSessions } from './open-sessions.ts';
import type { Project } from './place.ts';

export interface OpenProject {
  readonly project: Project;
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

/** The project a command works on, with its configuration and what the engine needs from it. */
export function openProject(dir?: string): OpenProject {
  const { project, sessions } = openSessions(dir);
  const config = loadConfig(project.dir);
  const { registry: adapters, problems: adapterProblems } = projectRegistry(project.dir);
  const services: ProjectServices = {
    workers: {},
    sessions,
    config: visibleConfig(config),
    baseEnv: config.childEnv,
    masker: createMasker(config.secretValues),
    timeoutMs: config.timeoutMinutes * MINUTE,
    commands: config.commands,
    control: true,
    adapters,
    ...filesOf(project.dir),
  };
  return { project, config, services, adapterProblems };
}

/** The same services for a session that works on other files than the project's own. */
export function servicesFor(
  { services }: OpenProject,
  files: Partial<OrchestratorServices>,
): ProjectServices {
  return { ...services, ...files };
}

function filesOf(dir: string): Pick<OrchestratorServices, 'worktreePath' | 'tree'> {
  const tree = createTreeFingerprint(dir);
  return { worktreePath: dir, tree: { identity: () => tree.fingerprint() } };
}

/** What `{{config.x}}` may name: settings of the project and of its task flows, nothing else of the environment. */
function visibleConfig({ commands, timeoutMinutes, runtime }: Config): JsonObject {
  return { commands, timeoutMinutes, ...flowConfig(runtime) };
}
