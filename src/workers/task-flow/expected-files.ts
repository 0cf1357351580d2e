import { asFact } from '../../manifest/segment.ts';
import { SUCCESS, type Worker } from '../../manifest/worker.ts';
import { checkExpectedFiles } from '../../verification/expected-files.ts';
import { answer } from '../answer.ts';
import type { WorkerServices } from '../services.ts';
import { EXPECTED_FILES } from './segments.ts';
import { taskOf, taskParameterProblems, treeOf } from './task-block.ts';

/** Looks whether the files that a task expects are there. What is missing is a warning; verification decides if it is more. */
export function expectedFiles(services: WorkerServices): Worker {
  return {
    signals: [SUCCESS],
    changesFiles: false,
    checkWith: taskParameterProblems,
    async run(context, run) {
      const { task } = taskOf(context.contract.with);
      const { root } = treeOf(services, 'Internal:CheckExpectedFiles');
      const content = checkExpectedFiles(root, task.expectedFiles);
      if (content.missing.length > 0) run.output(`missing: ${content.missing.join(', ')}\n`);
      return answer(SUCCESS, context, run, { type: EXPECTED_FILES, content, extra: asFact({}) });
    },
  };
}
