import type { JsonValue } from '../kernel/json.ts';
import type { Origin } from './origin.ts';

/** One entry of the history. `content` is a JSON value; its shape depends on `type`. */
export interface ContextSegment {
  readonly id: string;
  readonly type: string;
  readonly content: JsonValue;
  /** Whose word it is. Set by the engine; a segment that a worker has just made has none yet. */
  readonly origin?: Origin;
}

/** The ordered history handed from block to block. */
export type ExecutionPayload = readonly ContextSegment[];

export interface TestResultSegment extends ContextSegment {
  readonly type: 'TEST_RESULT';
  readonly content: string;
  readonly outcome: 'PASS' | 'FAIL';
}

/** What `CODE_OUTPUT` and `DOCUMENTATION_OUTPUT` carry, as a value or as the same value in JSON text. */
export interface FileOutput {
  readonly filePath: string;
  readonly fileContent: string;
}

/** A segment's content as text, for models and logs. */
export function contentText(segment: ContextSegment): string {
  return typeof segment.content === 'string' ? segment.content : JSON.stringify(segment.content, null, 2);
}

/** Reads content that may be a structured value or the same value as JSON text. */
export function contentValue(segment: ContextSegment): JsonValue {
  if (typeof segment.content !== 'string') return segment.content;
  try {
    return JSON.parse(segment.content) as JsonValue;
  } catch {
    return segment.content;
  }
}

/** Marks a segment that notes what happened: it is no output, so no schema is held against it and nobody writes it. */
const FACT = { fact: true } as const;

/** What a segment that notes a fact has beside its type and content. */
export function asFact<T extends object>(extra: T): T & typeof FACT {
  return { ...extra, ...FACT };
}

export function isFact(segment: ContextSegment): boolean {
  return 'fact' in segment && segment.fact === true;
}
