import { realpath } from 'node:fs/promises';
import { type ExecutionPayload, isFact } from '../../manifest/segment.ts';
import { SUCCESS, VALIDATION_FAIL, type Worker } from '../../manifest/worker.ts';
import { checkSyntax } from '../../verification/syntax/check-syntax.ts';
import type { SourceFile, Unchecked } from '../../verification/syntax/languages.ts';
import { readInTree } from '../../workspace/tree-reader.ts';
import { answer, failed } from '../answer.ts';
import { REFUSED, readRequests, type WriteRequest } from '../file-writer/write-requests.ts';
import { runCommand } from '../run-command.ts';
import type { WorkerServices } from '../services.ts';
import { inWorktree, type StepInTree } from '../step.ts';
import { parameterProblems, readParameters } from './parameters.ts';
import { failText, resultOf } from './report.ts';

/** Checks what would be written next, or what an agent has written by itself, before anything is done with it. */
export function validateOutput(services: WorkerServices): Worker {
  return {
    signals: [SUCCESS, VALIDATION_FAIL],
    checkWith: parameterProblems,
    run: inWorktree(services, 'Internal:ValidateOutput', async (step) => {
      const { context, run } = step;
      const parameters = readParameters(context.contract.with);
      if (!parameters) return failed(context, run, 'Its parameters are no lists.', { in: 'manifest' });
      const { requests, refusals } = readRequests(context.execution_payload, parameters.types);
      const changed = await changedFiles(step, requests);
      const wanted = [...requests.map(asFile), ...changed.files];
      const report = await checkSyntax(
        wanted.filter(({ path }) => !parameters.skips(path)),
        (parser) => runCommand(step, { kind: 'check', ...parser, streams: 'separate' }),
      );
      const unchecked = [...report.unchecked, ...changed.unchecked];
      if (refusals.length === 0 && report.problems.length === 0) {
        if (report.checked.length === 0 && unchecked.length === 0) return answer(SUCCESS, context, run);
        return answer(SUCCESS, context, run, resultOf({ checked: report.checked, unchecked }));
      }
      const content = failText({ refusals, problems: report.problems, unchecked }, requests);
      const extra = refusals.length === 0 ? {} : { [REFUSED]: refusals.map(({ segmentId }) => segmentId) };
      return answer(VALIDATION_FAIL, context, run, { type: 'VALIDATION_ERROR', content, extra });
    }),
  };
}

const asFile = ({ filePath, fileContent }: WriteRequest): SourceFile => ({
  path: filePath,
  content: fileContent,
});

/** What an agent has changed in the tree by itself, unless it is about to be written over. */
async function changedFiles(
  { services, context, worktree }: StepInTree,
  requests: readonly WriteRequest[],
): Promise<{ readonly files: SourceFile[]; readonly unchecked: Unchecked[] }> {
  const paths = (await services.tree?.changes?.()) ?? seenPaths(context.execution_payload);
  const replaced = new Set(requests.map(({ filePath }) => filePath));
  const root = await realpath(worktree);
  const files: SourceFile[] = [];
  const unchecked: Unchecked[] = [];
  for (const path of new Set(paths)) {
    if (replaced.has(path)) continue;
    const { content, truncated } = await readInTree(root, path);
    if (truncated) unchecked.push({ path, why: 'it is too long' });
    else if (content !== undefined) files.push({ path, content });
  }
  return { files, unchecked };
}

/** What agents were seen to change, where nobody keeps the state before the session. */
function seenPaths(payload: ExecutionPayload): string[] {
  return payload
    .filter((segment) => segment.type === 'NEW_FILES_IDENTIFIED' && isFact(segment))
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter((path) => typeof path === 'string');
}
