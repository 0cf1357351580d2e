import { posix } from 'node:path';
import { isJsonObject } from '../../kernel/json.ts';
import { checkRelativePath } from '../../kernel/path-rules.ts';
import {
  type ContextSegment,
  contentValue,
  type ExecutionPayload,
  type FileOutput,
  isFact,
} from '../../manifest/segment.ts';

export const WRITE_TYPES: readonly string[] = ['CODE_OUTPUT', 'DOCUMENTATION_OUTPUT'];

/** Names, on a segment that says so, the segment that was refused, or several. */
export const REFUSED = 'refused_segment';
const REFUSING = new Set(['ERROR', 'VALIDATION_ERROR']);

export interface WriteRequest extends FileOutput {
  readonly segmentId: string;
}

/** A segment that cannot be written, and why. */
export interface Refusal {
  readonly segmentId: string;
  readonly problem: string;
}

/**
 * The files a payload asks for, each path once with its newest content. One unusable segment makes the whole
 * list unusable: half of a change is worse than none.
 */
export function writeRequests(payload: ExecutionPayload, types: readonly string[]): WriteRequest[] | Refusal {
  const { requests, refusals } = readRequests(payload, types);
  return refusals[0] ?? requests;
}

/** The same, with every segment that cannot be used. */
export function readRequests(
  payload: ExecutionPayload,
  types: readonly string[],
): { readonly requests: WriteRequest[]; readonly refusals: Refusal[] } {
  const replaced = replacedSegments(payload, types);
  const byPath = new Map<string, WriteRequest>();
  const refusals: Refusal[] = [];
  for (const segment of payload) {
    if (!types.includes(segment.type) || replaced.has(segment.id) || isFact(segment)) continue;
    const request = readRequest(segment);
    if ('problem' in request) {
      refusals.push(request);
      continue;
    }
    // Deleted first, so the file takes the place of its newest segment in the order of writing.
    byPath.delete(request.filePath);
    byPath.set(request.filePath, request);
  }
  return { requests: [...byPath.values()], refusals };
}

/**
 * Segments that were refused before and answered with new ones since: the history keeps them, but a cycle
 * that has corrected its mistake must not fail on it for ever.
 */
function replacedSegments(payload: ExecutionPayload, types: readonly string[]): Set<string> {
  const newest = payload.findLastIndex((segment) => types.includes(segment.type));
  const refused = payload
    .slice(0, Math.max(0, newest))
    .flatMap((segment) => (REFUSING.has(segment.type) && REFUSED in segment ? segment[REFUSED] : []))
    .filter((id) => typeof id === 'string');
  return new Set(refused);
}

function readRequest(segment: ContextSegment): WriteRequest | Refusal {
  const segmentId = segment.id;
  const output = readOutput(segment);
  if (!output) {
    const shape = '{ "filePath": "...", "fileContent": "..." }';
    return {
      segmentId,
      problem: `Segment ${segmentId} (${segment.type}) holds no file: its content must be ${shape}.`,
    };
  }
  const reason = checkRelativePath(output.filePath);
  if (reason !== undefined) {
    const path = JSON.stringify(output.filePath);
    return { segmentId, problem: `Segment ${segmentId} asks for the file ${path}, which ${reason}.` };
  }
  return { ...output, filePath: posix.normalize(output.filePath), segmentId };
}

function readOutput(segment: ContextSegment): FileOutput | undefined {
  const value = contentValue(segment);
  if (!isJsonObject(value)) return undefined;
  const { filePath, fileContent } = value;
  if (typeof filePath !== 'string' || typeof fileContent !== 'string') return undefined;
  return { filePath, fileContent };
}
