import { asFact } from '../../manifest/segment.ts';
import { SUCCESS, type Worker } from '../../manifest/worker.ts';
import { allowancesFor } from '../../verification/policy/allowance.ts';
import { answer } from '../answer.ts';
import { deniedPathsIn, PATHS_ALLOWED, reportIn } from './segments.ts';
import { taskOf, taskParameterProblems } from './task-block.ts';

const ASK_MODEL = 'SIGNAL:ASK_MODEL';
const NO_MODEL = 'SIGNAL:NO_MODEL';
const DENIED = 'SIGNAL:DENIED';

/** The first answer to a violation, by rules alone. What they do not settle goes on to a model, where one may be asked. */
export const allowPaths: Worker = {
  signals: [SUCCESS, ASK_MODEL, NO_MODEL, DENIED],
  changesFiles: false,
  checkWith: taskParameterProblems,
  async run(context, run) {
    const { task, rules } = taskOf(context.contract.with);
    const violations = reportIn(context.execution_payload)?.violations ?? [];
    const paths = allowancesFor(violations, task, rules);
    if (paths.length > 0) {
      const content = { paths, by: `rules, ${rules.policyRecoveryMode}` };
      return answer(SUCCESS, context, run, { type: PATHS_ALLOWED, content, extra: asFact({}) });
    }
    const denied = new Set(deniedPathsIn(context.execution_payload));
    // A model has said no to everything that is left: asking again would be asking for another answer.
    if (violations.length > 0 && violations.every(({ path }) => denied.has(path))) {
      return answer(DENIED, context, run);
    }
    const ask = rules.policyRecoveryUseModel && task.role !== 'docser';
    return answer(ask ? ASK_MODEL : NO_MODEL, context, run);
  },
};
