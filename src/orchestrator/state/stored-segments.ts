import { deepFreeze } from '../../kernel/json.ts';
import type { ContextSegment } from '../../manifest/segment.ts';

/** What a step added: as it was made, or as it lies in the journal. */
export type Segments = readonly ContextSegment[] | StoredSegments;

/**
 * Segments in the bytes of a journal. They are by far the largest part of it, and most who load a session (a
 * list, a status, the next block with its newest result) look at none or few of them.
 */
export class StoredSegments {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly #end: number;
  #read: readonly ContextSegment[] | undefined;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
  }

  read(): readonly ContextSegment[] {
    this.#read ??= deepFreeze(
      JSON.parse(this.#bytes.toString('utf8', this.#start, this.#end)) as ContextSegment[],
    );
    return this.#read;
  }

  toJSON(): readonly ContextSegment[] {
    return this.read();
  }
}

export function segmentsOf(segments: Segments): readonly ContextSegment[] {
  return segments instanceof StoredSegments ? segments.read() : segments;
}
