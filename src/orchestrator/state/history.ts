import { AppendList } from '../../kernel/append-list.ts';
import type { BlockId } from '../../manifest/resolved.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import { type Segments, StoredSegments, segmentsOf } from './stored-segments.ts';

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
 * Segments that lie in a journal are read when somebody looks at the history, not before.
 */
export class History {
  #storage: Storage | undefined;
  /** What is to be done to which earlier version, as long as nobody has looked. */
  readonly #pending: Pending | undefined;

  private constructor(storage: Storage | undefined, pending?: Pending) {
    this.#storage = storage;
    this.#pending = pending;
  }

  static of(segments: readonly ContextSegment[], origin: BlockId | null = null): History {
    return new History(empty()).append(segments, origin);
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

  /** Of a type, those that were dropped since included: what was found does not become untrue by being passed on no more. */
  ever(type: string): ContextSegment[] {
    return this.#is.segments.toArray().filter((segment) => segment.type === type);
  }

  from(block: BlockId): ContextSegment[] {
    return this.#is.segments.toArray().filter((_, i) => this.#is.origins.at(i) === block && !this.#isGone(i));
  }

  segments(): ContextSegment[] {
    const all = this.#is.segments.toArray();
    return this.#is.goneCount === 0 ? all : all.filter((_, i) => !this.#isGone(i));
  }

  append(segments: Segments, origin: BlockId | null): History {
    if (!this.#storage || segments instanceof StoredSegments) return this.#later({ segments, origin });
    return segments.length === 0 ? this : new History(appended(this.#storage, segments, origin));
  }

  drop(ids: readonly string[]): History {
    return this.#storage ? new History(dropped(this.#storage, ids)) : this.#later({ ids });
  }

  #later(change: Change): History {
    const { from, changes } = this.#pending ?? { from: this.#is, changes: AppendList.of<Change>() };
    return new History(undefined, { from, changes: changes.append([change]) });
  }

  get #is(): Storage {
    this.#storage ??= this.#pending ? perform(this.#pending) : empty();
    return this.#storage;
  }

  #isGone(position: number): boolean {
    const { gone, goneCount } = this.#is;
    if (goneCount === 0) return false;
    const order = gone.get(position);
    return order !== undefined && order < goneCount;
  }
}

function empty(): Storage {
  return {
    segments: AppendList.of(),
    origins: AppendList.of(),
    positions: new Map(),
    gone: new Map(),
    goneCount: 0,
  };
}

interface Pending {
  readonly from: Storage;
  readonly changes: AppendList<Change>;
}

type Change =
  | { readonly segments: Segments; readonly origin: BlockId | null }
  | { readonly ids: readonly string[] };

function perform({ from, changes }: Pending): Storage {
  let storage = from;
  for (const change of changes) {
    storage =
      'ids' in change
        ? dropped(storage, change.ids)
        : appended(storage, segmentsOf(change.segments), change.origin);
  }
  return storage;
}

function appended(is: Storage, segments: readonly ContextSegment[], origin: BlockId | null): Storage {
  let position = is.segments.length;
  const newest = is.positions.size === position;
  const positions = newest ? is.positions : upTo(is.positions, position);
  for (const segment of segments) positions.set(segment.id, position++);
  const origins = segments.length === 1 ? [origin] : segments.map(() => origin);
  return { ...is, positions, segments: is.segments.append(segments), origins: is.origins.append(origins) };
}

function dropped(is: Storage, ids: readonly string[]): Storage {
  const newest = is.gone.size === is.goneCount;
  const gone = newest ? is.gone : upTo(is.gone, is.goneCount);
  for (const id of ids) {
    const position = is.positions.get(id);
    if (position !== undefined && !gone.has(position)) gone.set(position, gone.size);
  }
  return { ...is, gone, goneCount: gone.size };
}

/** What an older version may see of a storage that a newer one has extended. */
function upTo<K>(map: ReadonlyMap<K, number>, limit: number): Map<K, number> {
  return new Map([...map].filter(([, number]) => number < limit));
}
