import type { JsonObject, JsonValue } from '../kernel/json.ts';
import {
  FAILURE,
  SUCCESS,
  type WorkerContext,
  type WorkerResult,
  type WorkerRun,
} from '../manifest/worker.ts';

export const PASS_OR_FAIL: readonly string[] = [SUCCESS, FAILURE];

/** What a worker adds to the history; its id is made when it is added. */
export interface NewSegment {
  readonly type: string;
  readonly content: JsonValue;
  readonly extra?: JsonObject;
}

/** The answer of a worker that passes on what it got and adds to it. */
export function answer(
  signal: string,
  context: WorkerContext,
  run: WorkerRun,
  ...added: readonly NewSegment[]
): WorkerResult {
  const segments = added.map(({ type, content, extra }) => run.segment(type, content, extra));
  return { signal, new_payload: [...context.execution_payload, ...segments] };
}

/** A segment to add: any JSON value under a type that later blocks can ask for. */
export function segment(type: string, content: JsonValue, extra?: JsonObject): NewSegment {
  return extra === undefined ? { type, content } : { type, content, extra };
}

/** The worker has done its part. */
export function pass(context: WorkerContext, run: WorkerRun, ...added: readonly NewSegment[]): WorkerResult {
  return answer(SUCCESS, context, run, ...added);
}

/** It has not; what it adds says why. */
export function fail(context: WorkerContext, run: WorkerRun, ...added: readonly NewSegment[]): WorkerResult {
  return answer(FAILURE, context, run, ...added);
}

export function failed(
  context: WorkerContext,
  run: WorkerRun,
  problem: string,
  extra: JsonObject = {},
): WorkerResult {
  return answer(FAILURE, context, run, { type: 'ERROR', content: problem, extra });
}
