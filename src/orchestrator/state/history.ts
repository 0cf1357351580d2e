import { AppendList } from '../../kernel/append-list.ts';
import type { BlockId } from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';

interface Storage {
  readonly segments: AppendList<ContextSegment>;
  readonly origins: AppendList<BlockId | null>;
  /** Where each id stands; positions past our length belong to a newer version. */
  readonly positions: Map<string, number>;
  /** When each dropped position was dropped; numbers past our own count belong to a newer version. */
  readonly gone: Map<number, number>;
  readonly goneCount: number;
}

/**
 * The one authoritative history of a run: its segments in order, and which block added each. Versions share
 * their storage, so neither appending nor dropping costs more the longer the run is. An id is never used twice.
 */
export class History {
  readonly #is: Storage;

  private constructor(storage: Storage) {
    this.#is = storage;
  }

  static of(segments: readonly ContextSegment[], origin: BlockId | null = null): History {
    const empty = { segments: AppendList.of<ContextSegment>(), origins: AppendList.of<BlockId | null>() };
    return new History({ ...empty, positions: new Map(), gone: new Map(), goneCount: 0 }).append(
      segments,
      origin,
    );
  }

  get length(): number {
    return this.#is.segments.length - this.#is.goneCount;
  }

  /** Whether the id was ever used, also by a segment that was dropped since. */
  knows(id: string): boolean {
    const position = this.#is.positions.get(id);
    return position !== undefined && position < this.#is.segments.length;
  }

  get(id: string): ContextSegment | undefined {
    const position = this.#is.positions.get(id);
    if (position === undefined || position >= this.#is.segments.length || this.#isGone(position))
      return undefined;
    return this.#is.segments.at(position);
  }

  isPrefixOf(payload: readonly unknown[]): boolean {
    if (this.#is.goneCount === 0) return this.#is.segments.isPrefixOf(payload);
    return payload.length >= this.length && this.segments().every((segment, i) => segment === payload[i]);
  }

  latest(type: string): ContextSegment | undefined {
    return this.#is.segments.findLast((segment, i) => segment.type === type && !this.#isGone(i));
  }

  ofType(type: string): ContextSegment[] {
    return this.#is.segments.toArray().filter((segment, i) => segment.type === type && !this.#isGone(i));
  }

  from(block: BlockId): ContextSegment[] {
    return this.#is.segments.toArray().filter((_, i) => this.#is.origins.at(i) === block && !this.#isGone(i));
  }

  segments(): ContextSegment[] {
    const all = this.#is.segments.toArray();
    return this.#is.goneCount === 0 ? all : all.filter((_, i) => !this.#isGone(i));
  }

  append(segments: readonly ContextSegment[], origin: BlockId | null): History {
    if (segments.length === 0) return this;
    let position = this.#is.segments.length;
    const newest = this.#is.positions.size === position;
    const positions = newest ? this.#is.positions : upTo(this.#is.positions, position);
    for (const segment of segments) positions.set(segment.id, position++);
    const origins = segments.length === 1 ? [origin] : segments.map(() => origin);
    return new History({
      ...this.#is,
      positions,
      segments: this.#is.segments.append(segments),
      origins: this.#is.origins.append(origins),
    });
  }

  drop(ids: readonly string[]): History {
    const { positions, goneCount } = this.#is;
    const newest = this.#is.gone.size === goneCount;
    const gone = newest ? this.#is.gone : upTo(this.#is.gone, goneCount);
    for (const id of ids) {
      const position = positions.get(id);
      if (position !== undefined && !gone.has(position)) gone.set(position, gone.size);
    }
    return new History({ ...this.#is, gone, goneCount: gone.size });
  }

  #isGone(position: number): boolean {
    const { gone, goneCount } = this.#is;
    if (goneCount === 0) return false;
    const order = gone.get(position);
    return order !== undefined && order < goneCount;
  }
}

/** What an older version may see of a storage that a newer one has extended. */
function upTo<K>(map: ReadonlyMap<K, number>, limit: number): Map<K, number> {
  return new Map([...map].filter(([, number]) => number < limit));
}
