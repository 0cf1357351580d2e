import { FAILURE, SUCCESS, type Worker } from '../manifest/worker.ts';
import { answer, PASS_OR_FAIL } from './answer.ts';
import { logOf, passed, runProjectCheck, runsOf, withDoubt } from './project-check.ts';
import type { WorkerServices } from './services.ts';
import { inWorktree } from './step.ts';

/** Builds the project. A failure carries the complete raw log. */
export function builder(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    run: inWorktree(services, 'Internal:RunBuilder', async (step) => {
      const { context, run } = step;
      const check = await runProjectCheck(step, 'build', 'merged');
      if (passed(check)) return withDoubt(check, answer(SUCCESS, context, run));
      const result = { type: 'BUILD_RESULT', content: logOf(check), extra: runsOf(check) };
      return withDoubt(check, answer(FAILURE, context, run, result));
    }),
  };
}
