import type { JsonObject } from '../../kernel/json.ts';
import { isGenuine } from '../../manifest/origin.ts';
import { asFact, contentText, type ExecutionPayload } from '../../manifest/segment.ts';
import { SUCCESS, type Worker } from '../../manifest/worker.ts';
import { readDecisions } from '../../verification/policy/decisions.ts';
import { answer } from '../answer.ts';
import type { WorkerServices } from '../services.ts';
import { PATHS_ALLOWED, PATHS_DENIED, PATHS_DISCARDED, reportIn, VERIFICATION } from './segments.ts';
import { taskOf, taskParameterProblems, treeOf } from './task-block.ts';

const NO_DECISION = 'SIGNAL:NO_DECISION';
const DENIED = 'SIGNAL:DENIED';

/** Turns what a model answered about violating paths into decisions, and carries them out. */
export function decidePaths(services: WorkerServices): Worker {
  return {
    signals: [SUCCESS, NO_DECISION, DENIED],
    checkWith: taskParameterProblems,
    async run(context, run) {
      const { task } = taskOf(context.contract.with);
      const tree = treeOf(services, 'Internal:DecidePaths');
      const payload = context.execution_payload;
      const violations = reportIn(payload)?.violations ?? [];
      const text = task.role === 'docser' ? '' : saidSinceVerification(payload);
      const { allow, discard, deny } = readDecisions(text, violations);
      const { discarded, kept } = await tree.discard(discard);
      const facts = [
        ...note(PATHS_ALLOWED, allow),
        ...note(PATHS_DISCARDED, discarded),
        ...note(PATHS_DENIED, [...deny, ...kept.map(({ path }) => path)], { kept: [...kept] }),
      ];
      const settled = allow.length + discarded.length > 0;
      const signal = settled ? SUCCESS : facts.length > 0 ? DENIED : NO_DECISION;
      return answer(signal, context, run, ...facts);
    },
  };
}

function note(type: string, paths: readonly string[], more: JsonObject = {}) {
  if (paths.length === 0) return [];
  return [{ type, content: { paths, by: 'model', ...more }, extra: asFact({}) }];
}

/** The words of whoever was asked after the newest pass. */
function saidSinceVerification(payload: ExecutionPayload): string {
  const pass = payload.findLastIndex((segment) => isGenuine(segment, VERIFICATION));
  const answers = payload.slice(pass + 1).filter(({ type }) => type === 'MODEL_OUTPUT');
  const last = answers.at(-1);
  return last ? contentText(last) : '';
}
