import { projectRegistry } from '../../agents/registry/project.ts';
import { type RepositoryMode, type Role, runtimeSettings } from '../../config/runtime/settings.ts';
import { Database } from '../../store/database.ts';
import { Backlog } from '../../tasks/backlog/backlog.ts';
import { withProof } from '../../tasks/backlog/proof.ts';
import type { Task } from '../../tasks/backlog/task.ts';
import { withWaits } from '../../tasks/backlog/waits.ts';
import { LocalScheduler } from '../../tasks/scheduler/local.ts';
import type { Scheduler } from '../../tasks/scheduler/scheduler.ts';
import type { OpenProject } from '../open.ts';
import { putAwayTask } from './put-away.ts';

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
  opened: OpenProject,
  action: (open: OpenBacklog) => Promise<T>,
): Promise<T> {
  const { project, config } = opened;
  const now = Date.now();
  const settings = runtimeSettings(config.runtime, { now });
  const agentsOf = (role: Role) => [settings.agents[role]];
  const agents = () => projectRegistry(project.dir).registry.types();
  const database = Database.open(project.database);
  try {
    return await action({
      backlog: new Backlog(database, { agents }),
      scheduler: new LocalScheduler(database, { coolDownMs: settings.coolDownMs }),
      mode: settings.repository.mode,
      putAway: (task) => putAwayTask(task, { config, repository: settings.repository }),
      described: async (tasks) => {
        return withProof(database.query, await withWaits(database.query, tasks, { now, agentsOf }));
      },
    });
  } finally {
    database.close();
  }
}
