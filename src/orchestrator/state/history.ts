import { AppendList } from '../../kernel/append-list.ts';
import type { BlockId } from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';

/**
 * The one authoritative history of a run: its segments in order, and which block added each.
 * Appending shares storage with the older version, so a step's cost does not grow with the run.
 */
export class History {
  readonly #segments: AppendList<ContextSegment>;
  readonly #origins: AppendList<BlockId | null>;
  /** Position of every id ever appended to this storage; positions past our length belong to a newer version. */
  readonly #positions: Map<string, number>;

  private constructor(
    segments: AppendList<ContextSegment>,
    origins: AppendList<BlockId | null>,
    positions: Map<string, number>,
  ) {
    this.#segments = segments;
    this.#origins = origins;
    this.#positions = positions;
  }

  static of(segments: readonly ContextSegment[], origin: BlockId | null = null): History {
    return new History(AppendList.of(), AppendList.of(), new Map()).append(segments, origin);
  }

  get length(): number {
    return this.#segments.length;
  }

  has(id: string): boolean {
    const position = this.#positions.get(id);
    return position !== undefined && position < this.length;
  }

  isPrefixOf(payload: readonly unknown[]): boolean {
    return this.#segments.isPrefixOf(payload);
  }

  latest(type: string): ContextSegment | undefined {
    return this.#segments.findLast((segment) => segment.type === type);
  }

  ofType(type: string): ContextSegment[] {
    return this.segments().filter((segment) => segment.type === type);
  }

  from(block: BlockId): ContextSegment[] {
    return this.segments().filter((_, index) => this.#origins.at(index) === block);
  }

  segments(): ContextSegment[] {
    return this.#segments.toArray();
  }

  append(segments: readonly ContextSegment[], origin: BlockId | null): History {
    if (segments.length === 0) return this;
    const positions = this.#positions.size > this.length ? this.#ownPositions() : this.#positions;
    let position = this.length;
    for (const segment of segments) positions.set(segment.id, position++);
    const origins = segments.length === 1 ? [origin] : segments.map(() => origin);
    return new History(this.#segments.append(segments), this.#origins.append(origins), positions);
  }

  drop(ids: ReadonlySet<string>): History {
    if (ids.size === 0) return this;
    let kept = History.of([]);
    for (let i = 0; i < this.length; i++) {
      const segment = this.#segments.at(i);
      if (segment && !ids.has(segment.id)) kept = kept.append([segment], this.#origins.at(i) ?? null);
    }
    return kept;
  }

  #ownPositions(): Map<string, number> {
    return new Map([...this.#positions].filter(([, position]) => position < this.length));
  }
}
