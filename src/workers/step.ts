import type { Worker, WorkerContext, WorkerResult, WorkerRun } from '../manifest/worker.ts';
import { failed } from './answer.ts';
import type { WorkerServices } from './services.ts';

/** One execution of a block: what its worker was given, and what it works with. */
export interface Step<Services = WorkerServices> {
  readonly services: Services;
  readonly context: WorkerContext;
  readonly run: WorkerRun;
}

/** A step of a session that has a folder to work in. */
export interface StepInTree<Services = WorkerServices> extends Step<Services> {
  readonly worktree: string;
}

/** For a worker that needs a folder: it must never fall back to the directory its own process happens to run in. */
export function inWorktree<Services>(
  services: Services,
  worker: string,
  act: (step: StepInTree<Services>) => Promise<WorkerResult>,
): Worker['run'] {
  return async (context, run) => {
    const worktree = context.system_metadata.worktree_path;
    if (worktree !== undefined) return act({ services, context, run, worktree });
    const problem = `${worker} needs a worktree, and this session has none. Start it in a folder of its own, such as a project folder.`;
    return failed(context, run, problem);
  };
}
