import { FAILURE, SUCCESS, type Worker } from '../manifest/worker.ts';
import { answer, PASS_OR_FAIL } from './answer.ts';
import { logOf, passed, runProjectCheck, runsOf, withDoubt } from './project-check.ts';
import type { WorkerServices } from './services.ts';
import { inWorktree } from './step.ts';

/** Runs the project's tests. The segment is added for a pass too, so a gate has its evidence. */
export function testRunner(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    run: inWorktree(services, 'Internal:TestRunner', async (step) => {
      const check = await runProjectCheck(step, 'test', 'merged');
      const outcome = passed(check) ? 'PASS' : 'FAIL';
      const extra = { outcome, ...runsOf(check) };
      const result = { type: 'TEST_RESULT', content: logOf(check), extra };
      const answered = answer(outcome === 'PASS' ? SUCCESS : FAILURE, step.context, step.run, result);
      return withDoubt(check, answered);
    }),
  };
}
