import { join } from 'node:path';
import { errorMessage } from '../../kernel/errors.ts';
import type { JsonValue } from '../../kernel/json.ts';
import type { Masker } from '../../kernel/mask.ts';
import {
  SUCCESS,
  type Worker,
  type WorkerContext,
  type WorkerResult,
  type WorkerRun,
} from '../../manifest/worker.ts';
import { whyProtected } from '../../verification/policy/protected-paths.ts';
import { type WriteFile, writeInTree } from '../../workspace/tree-writer.ts';
import { answer, failed, PASS_OR_FAIL } from '../answer.ts';
import { unknownParameters } from '../parameters.ts';
import { inWorktree } from '../step.ts';
import { REFUSED, type Refusal, WRITE_TYPES, type WriteRequest, writeRequests } from './write-requests.ts';

interface FileWriterServices {
  readonly masker: Masker;
  readonly treeWriter?: WriteFile;
}

/** The only worker that puts what a model wrote onto the disk, and only inside the worktree. */
export function fileWriter(services: FileWriterServices): Worker {
  const write = services.treeWriter ?? writeInTree;
  return {
    signals: PASS_OR_FAIL,
    checkWith(parameters) {
      const lists = ['segment_types', 'protected_paths'];
      return [
        ...unknownParameters(parameters, lists),
        ...lists.flatMap((name) =>
          isTexts(parameters[name] ?? []) ? [] : [`"${name}" must be a list of texts.`],
        ),
      ];
    },
    run: inWorktree(services, 'Internal:FileSystemWriter', async ({ context, run, worktree }) => {
      const { segment_types: types = WRITE_TYPES, protected_paths: opened = [] } = context.contract.with;
      if (!isTexts(types) || !isTexts(opened)) return failed(context, run, 'Its parameters are no lists.');
      const requests = writeRequests(context.execution_payload, types);
      if (!Array.isArray(requests)) return refuse(context, run, requests);
      const closed = protectedIn(requests, opened);
      if (closed) return refuse(context, run, closed);
      const secret = secretIn(requests, services.masker);
      if (secret) return refuse(context, run, secret);
      const problem = await writeAll(write, worktree, requests, run.cancel);
      return problem === undefined ? answer(SUCCESS, context, run) : failed(context, run, problem);
    }),
  };
}

function refuse(context: WorkerContext, run: WorkerRun, { problem, segmentId }: Refusal): WorkerResult {
  return failed(context, run, `${problem} Nothing was written.`, { [REFUSED]: segmentId });
}

/** What a model wrote must not run, or steer anybody, the next time a tool starts. */
function protectedIn(requests: readonly WriteRequest[], opened: readonly string[]): Refusal | undefined {
  for (const { filePath, segmentId } of requests) {
    const why = whyProtected(filePath, { opened });
    if (why === undefined) continue;
    const problem = `${filePath} (segment ${segmentId}) is protected: ${why}. A block opens it by naming it in "protected_paths".`;
    return { segmentId, problem };
  }
  return undefined;
}

function secretIn(requests: readonly WriteRequest[], masker: Masker): Refusal | undefined {
  const found = requests.find(({ fileContent }) => masker.contains(fileContent));
  if (!found) return undefined;
  const { filePath, segmentId } = found;
  return { segmentId, problem: `${filePath} (segment ${segmentId}) would contain a secret.` };
}

/** Stops at the first write that fails; what was written before stays, and is named. */
async function writeAll(
  write: WriteFile,
  worktree: string,
  requests: readonly WriteRequest[],
  cancel: AbortSignal,
): Promise<string | undefined> {
  const written: string[] = [];
  for (const { filePath, fileContent } of requests) {
    if (cancel.aborted) return `Writing was cancelled before ${filePath}. ${already(written)}`;
    try {
      await write(worktree, join(worktree, filePath), fileContent);
    } catch (error) {
      return `${filePath} could not be written: ${errorMessage(error)}. ${already(written)}`;
    }
    written.push(filePath);
  }
  return undefined;
}

function already(written: readonly string[]): string {
  return written.length === 0 ? 'Nothing was written.' : `Already written: ${written.join(', ')}.`;
}

function isTexts(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
