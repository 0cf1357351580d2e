import { FAILURE, SUCCESS, type Worker } from '../manifest/worker.ts';
import { answer, PASS_OR_FAIL, withoutWorktree } from './answer.ts';
import { logOf, passed, runProjectCheck } from './project-check.ts';
import type { WorkerServices } from './services.ts';

/** Builds the project. A failure carries the complete raw log. */
export function builder(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    async run(context, run) {
      const worktree = context.system_metadata.worktree_path;
      if (worktree === undefined) return withoutWorktree(context, run, 'Internal:RunBuilder');
      const check = await runProjectCheck('build', 'merged', worktree, services, context, run);
      if (passed(check)) return answer(SUCCESS, context, run);
      return answer(FAILURE, context, run, { type: 'BUILD_RESULT', content: logOf(check) });
    },
  };
}
