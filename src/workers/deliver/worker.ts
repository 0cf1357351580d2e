import { errorMessage } from '../../kernel/errors.ts';
import { asFact } from '../../manifest/segment.ts';
import { SUCCESS, type Worker } from '../../manifest/worker.ts';
import { hasPassed } from '../../verification/report.ts';
import type { TaskFacts } from '../../verification/task-facts.ts';
import { answer, failed, PASS_OR_FAIL } from '../answer.ts';
import type { Delivered, WorkerServices } from '../services.ts';
import { DELIVERY, reportIn } from '../verify/segments.ts';
import { taskOf, taskParameterProblems } from '../verify/task-block.ts';

const NOTHING: Delivered = { artifacts: [], review: false };

/** Hands the verified work over. Without evidence nothing is delivered, and without a change there is nothing to deliver. */
export function deliver(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    checkWith: taskParameterProblems,
    async run(context, run) {
      const { task } = taskOf(context.contract.with);
      const evidence = reportIn(context.execution_payload);
      if (!evidence || !hasPassed(evidence)) {
        return failed(context, run, 'Nothing was delivered: the newest verification did not pass.');
      }
      const note = ({ artifacts, review }: Delivered) => {
        const content = { artifacts, review };
        return answer(SUCCESS, context, run, { type: DELIVERY, content, extra: asFact({}) });
      };
      if (evidence.result === 'no_op') return note(NOTHING);
      if (!services.delivery) {
        const problem =
          'This session has nowhere to deliver to. Start it as a task, which has a repository mode.';
        return failed(context, run, problem);
      }
      try {
        return note(await services.delivery.deliver({ message: messageFor(task), evidence }));
      } catch (error) {
        return failed(context, run, `The work could not be delivered: ${errorMessage(error)}`);
      }
    },
  };
}

/** The title as subject, the goal as body. */
function messageFor({ title, goal, id }: TaskFacts): string {
  const subject = title.split('\n')[0]?.trim() || `Task ${id}`;
  return goal.trim() === '' || goal.trim() === subject ? subject : `${subject}\n\n${goal.trim()}`;
}
