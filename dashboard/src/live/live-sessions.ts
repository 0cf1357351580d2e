import { foldEvent, type LiveSession } from '../../../src/api/live.ts';
import type { LiveEvent } from '../../../src/api/routes/live.ts';

/** Where an event stands in the order of all of them. */
function placeOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('-') + 1));
}

interface Following {
  /** Everything up to here is in the state. */
  readonly at: number;
  readonly live: LiveSession | null;
}

type Engine = Extract<LiveEvent['change'], { readonly type: 'engine' }>;

/**
 * What running sessions tell, folded from a snapshot and the events behind it. An event that came before its snapshot
 * is kept until that is there, and one that the snapshot has already is left out: whatever the order in which the two
 * arrive, the state is that of a fresh snapshot.
 */
export class LiveSessions {
  readonly #known = new Map<string, Following>();
  readonly #early = new Map<string, { readonly place: number; readonly change: Engine }[]>();

  get(id: string): LiveSession | null {
    return this.#known.get(id)?.live ?? null;
  }

  snapshot(id: string, live: LiveSession | null, event: string): void {
    this.#known.set(id, { at: placeOf(event), live });
    for (const { place, change } of this.#early.get(id) ?? []) this.#apply(id, place, change);
    this.#early.delete(id);
  }

  event(id: string, change: Engine): void {
    const place = placeOf(id);
    if (this.#known.has(change.id)) this.#apply(change.id, place, change);
    else this.#early.set(change.id, [...(this.#early.get(change.id) ?? []), { place, change }]);
  }

  /** Its next snapshot decides. */
  forget(id: string): void {
    this.#known.delete(id);
  }

  forgetAll(): void {
    this.#known.clear();
    this.#early.clear();
  }

  #apply(id: string, place: number, { event, at }: Engine): void {
    const known = this.#known.get(id);
    if (!known?.live || place <= known.at) return;
    this.#known.set(id, { at: place, live: foldEvent(known.live, event, at) });
  }
}
