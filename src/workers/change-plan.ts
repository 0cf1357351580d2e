import { errorMessage } from '../kernel/errors.ts';
import { isJsonObject, type JsonValue } from '../kernel/json.ts';
import { type ContextSegment, contentValue } from '../manifest/segment.ts';
import { SUCCESS, type Worker } from '../manifest/worker.ts';
import { answer } from './answer.ts';
import type { ChangePlan } from './services.ts';

/**
 * Adds newly discovered files to the session's change plan. It always succeeds: a plan that could not be
 * updated is noted for whoever reads the history, the work continues.
 */
export function changePlanUpdate(services: { readonly changePlan?: ChangePlan }): Worker {
  return {
    signals: [SUCCESS],
    async run(context, run) {
      const read = context.execution_payload
        .filter((segment) => segment.type === 'NEW_FILES_IDENTIFIED')
        .map(filesOf);
      const files = [...new Set(read.flatMap((result) => result.files))];
      const problems = read.flatMap((result) => result.problem ?? []);
      if (files.length > 0) {
        const problem = await addTo(services.changePlan, files);
        if (problem !== undefined) problems.push(problem);
      }
      return answer(SUCCESS, context, run, ...problems.map((content) => ({ type: 'ERROR', content })));
    },
  };
}

async function addTo(
  changePlan: ChangePlan | undefined,
  files: readonly string[],
): Promise<string | undefined> {
  // Without a manager there is no plan to keep: the session runs alone.
  if (!changePlan) return undefined;
  try {
    await changePlan.addToChangePlan(files);
    return undefined;
  } catch (error) {
    return `The change plan was not updated with ${files.join(', ')}: ${errorMessage(error)}`;
  }
}

function filesOf(segment: ContextSegment): { files: readonly string[]; problem?: string } {
  const value = contentValue(segment);
  const list: JsonValue | undefined = isJsonObject(value) ? value.files : value;
  if (Array.isArray(list) && list.every((path) => typeof path === 'string')) return { files: list };
  return { files: [], problem: `Segment ${segment.id} (NEW_FILES_IDENTIFIED) is not a list of paths.` };
}
