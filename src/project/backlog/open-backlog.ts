import { projectRegistry } from '../../agents/registry/project.ts';
import type { Backlog } from '../../backlog/backlog.ts';
import type { Scheduler } from '../../backlog/scheduler.ts';
import type { Task } from '../../backlog/task.ts';
import type { Config } from '../../config/load-config.ts';
import {
  type RepositoryMode,
  type Role,
  type RuntimeSettings,
  runtimeSettings,
} from '../../config/runtime/settings.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { openStore } from '../../store/open.ts';
import { prefixIn } from '../../workspace/git/prefix.ts';
import type { OpenProject } from '../open.ts';

export interface OpenBacklog {
  readonly backlog: Backlog;
  readonly scheduler: Scheduler;
  /** Of tasks that name none. */
  readonly mode: RepositoryMode;
  /** Puts away what a task that has ended worked in; gives what could not be, in words. */
  readonly putAway: (task: Task) => Promise<readonly string[]>;
  /** The tasks with what they wait for and whether they are proven. */
  readonly described: (tasks: readonly Task[]) => Promise<Task[]>;
}

/** Opens the backlog of a project for one use case. */
export async function withBacklog<T>(
  { project, config }: OpenProject,
  action: (open: OpenBacklog) => Promise<T>,
): Promise<T> {
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

interface PutAwayOptions {
  readonly config: Config;
  readonly repository: RuntimeSettings['repository'];
}

/** A task that never ran has nothing; git is loaded only for one that did. What fails here changes no state. */
async function putAwayTask(task: Task, options: PutAwayOptions): Promise<readonly string[]> {
  if (task.attempts === 0 || task.kind !== 'code') return [];
  try {
    const { closeTask } = await import('../../tasks/prepare/close-task.ts');
    await closeTask(task.mode ?? options.repository.mode, options, task.id);
    return [];
  } catch (error) {
    return [`what it worked in could not be removed: ${errorMessage(error)}`];
  }
}
