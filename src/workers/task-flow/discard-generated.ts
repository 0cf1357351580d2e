import { asFact } from '../../manifest/segment.ts';
import { FAILURE, SUCCESS, type Worker } from '../../manifest/worker.ts';
import { learnPaths } from '../../verification/changes/learned-paths.ts';
import { discardable } from '../../verification/policy/decisions.ts';
import { answer, PASS_OR_FAIL } from '../answer.ts';
import type { WorkerServices } from '../services.ts';
import { PATHS_DISCARDED, reportIn } from './segments.ts';
import { taskOf, taskParameterProblems, treeOf } from './task-block.ts';

/** Undoes violating products of a run, and remembers those that look like one, so that they are not reported again. */
export function discardGenerated(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    checkWith: taskParameterProblems,
    async run(context, run) {
      const { rules } = taskOf(context.contract.with);
      const tree = treeOf(services, 'Internal:DiscardGenerated');
      const violating = (reportIn(context.execution_payload)?.violations ?? []).map(({ path }) => path);
      const { discard, learn } = await discardable(violating, tree, { all: rules.policyDiscardAll });
      const { discarded, kept } = await tree.discard(discard);
      if (discarded.length === 0) return answer(FAILURE, context, run);
      const worth = discarded.filter((path) => learn.has(path));
      const learned = services.projectDir === undefined ? [] : await learnPaths(services.projectDir, worth);
      const content = { paths: discarded, by: 'rules', learned, kept };
      return answer(SUCCESS, context, run, { type: PATHS_DISCARDED, content, extra: asFact({}) });
    },
  };
}
