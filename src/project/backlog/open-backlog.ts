import { projectRegistry } from '../../agents/registry/project.ts';
import type { Backlog } from '../../backlog/backlog.ts';
import type { Scheduler } from '../../backlog/scheduler.ts';
import type { Task } from '../../backlog/task.ts';
import { loadConfig } from '../../config/load-config.ts';
import { type RepositoryMode, type Role, runtimeSettings } from '../../config/runtime/settings.ts';
import { openStore } from '../../store/open.ts';
import { prefixIn } from '../../workspace/git/prefix.ts';
import { findProject, type Project } from '../place.ts';
import { putAwayTask } from './put-away.ts';

export interface TaskCommandOptions {
  readonly dir?: string;
  readonly json?: true;
}

export interface OpenBacklog {
  readonly project: Project;
  readonly backlog: Backlog;
  readonly scheduler: Scheduler;
  /** Of tasks that name none. */
  readonly mode: RepositoryMode;
  /** Puts away what a task that has ended worked in; gives what could not be, in words. */
  readonly putAway: (task: Task) => Promise<readonly string[]>;
  /** The tasks with what they wait for and whether they are proven. */
  readonly described: (tasks: readonly Task[]) => Promise<Task[]>;
}

/** Opens the backlog of a project for one command. */
export async function withBacklog(
  { dir }: TaskCommandOptions,
  action: (open: OpenBacklog) => Promise<number>,
): Promise<number> {
  const project = findProject(dir);
  const config = loadConfig(project.dir);
  const settings = runtimeSettings(config.runtime, { now: Date.now() });
  const agentsOf = (role: Role) => [settings.agents[role]];
  const agents = () => projectRegistry(project.dir).registry.types();
  const store = openStore(project.folder, {
    agents,
    coolDownMs: settings.coolDownMs,
    prefix: prefixIn(project.dir),
  });
  const { backlog, scheduler } = store;
  try {
    return await action({
      project,
      backlog,
      scheduler,
      mode: settings.repository.mode,
      putAway: (task) => putAwayTask(task, { config, repository: settings.repository }),
      described: async (tasks) => backlog.withProof(await backlog.withWaits(tasks, agentsOf)),
    });
  } finally {
    store.close();
  }
}
