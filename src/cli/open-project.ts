import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../kernel/json.ts';
import type { OrchestratorServices } from '../orchestrator/services.ts';
import { SessionManager } from '../orchestrator/state/session-manager.ts';
import { findProject, type Project } from './project.ts';
import type { Roster } from './roster.ts';

interface Config {
  workflow?: string;
  workers: Roster;
  commands?: { test?: string[] };
}
function loadConfig(dir: string): Config {
  const f = join(dir, '.loopwright/config.json');
  return { workers: {}, ...(existsSync(f) ? (JSON.parse(readFileSync(f, 'utf8')) as object) : {}) };
}

export interface OpenProject {
  readonly project: Project;
  readonly config: Config;
  readonly services: ProjectServices;
}

export type ProjectServices = OrchestratorServices & {
  readonly sessions: SessionManager;
  readonly config: JsonObject;
};

/** The project a command works on, with its configuration and what the engine needs from it. */
export async function openProject(dir?: string): Promise<OpenProject> {
  const { project, sessions } = openSessions(dir);
  const config = loadConfig(project.dir);
  const services: ProjectServices = {
    workers: {},
    sessions,
    config: {},
    worktreePath: project.dir,
    ...(config.commands ? { commands: config.commands } : {}),
  };
  return { project, config, services };
}

/** The same services for a session that works on other files than the project's own. */
export function servicesFor({ services }: OpenProject, worktree: string | undefined): ProjectServices {
  if (worktree === undefined || worktree === services.worktreePath) return services;
  return { ...services, worktreePath: worktree };
}

/** Only the sessions: looking at them must work even when the configuration is broken. */
export function openSessions(dir?: string): { project: Project; sessions: SessionManager } {
  const project = findProject(dir);
  return { project, sessions: SessionManager.onDisk(project.sessions) };
}
