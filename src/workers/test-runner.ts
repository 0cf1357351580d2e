import { FAILURE, SUCCESS, type Worker } from '../manifest/worker.ts';
import { answer, PASS_OR_FAIL, withoutWorktree } from './answer.ts';
import { logOf, passed, runProjectCheck } from './project-check.ts';
import type { WorkerServices } from './services.ts';

/** Runs the project's tests. The segment is added for a pass too, so a gate has its evidence. */
export function testRunner(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    async run(context, run) {
      const worktree = context.system_metadata.worktree_path;
      if (worktree === undefined) return withoutWorktree(context, run, 'Internal:TestRunner');
      const check = await runProjectCheck('test', 'merged', worktree, services, context, run);
      const outcome = passed(check) ? 'PASS' : 'FAIL';
      const result = { type: 'TEST_RESULT', content: logOf(check), extra: { outcome } };
      return answer(outcome === 'PASS' ? SUCCESS : FAILURE, context, run, result);
    },
  };
}
