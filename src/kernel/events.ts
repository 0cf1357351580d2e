import { deferred } from './deferred.ts';

export interface EventStream<E> {
  /** Calls `listener` for every later event; the returned function ends it. */
  subscribe(listener: (event: E) => void): () => void;
}

/**
 * One typed stream. A listener that throws is not the emitter's problem: its error surfaces on the next
 * tick as an uncaught exception of the listener's owner, and the others still get the event.
 */
export class Emitter<E> implements EventStream<E> {
  readonly #listeners = new Set<(event: E) => void>();

  subscribe(listener: (event: E) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get watched(): boolean {
    return this.#listeners.size > 0;
  }

  emit(event: E): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

/** So many events are kept for whoever comes first; beyond that the oldest go. */
const MOST_HELD = 10_000;

/**
 * A stream that holds its events until somebody listens, so that whoever starts something cannot miss its beginning.
 * The first one to subscribe or to loop gets everything from the beginning, later ones what comes after.
 */
export class HeldEvents<E> implements EventStream<E>, AsyncIterable<E> {
  readonly #source: EventStream<E>;
  readonly #ended: Promise<unknown>;
  #held: E[] | undefined = [];
  #stopHolding: () => void;

  /** A loop over the events ends when `ended` settles, after the events until then. */
  constructor(source: EventStream<E>, ended: Promise<unknown>) {
    this.#source = source;
    this.#ended = ended;
    this.#stopHolding = source.subscribe((event) => {
      this.#held?.push(event);
      if (this.#held && this.#held.length > MOST_HELD) this.#held.shift();
    });
  }

  subscribe(listener: (event: E) => void): () => void {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#stopHolding();
    const unsubscribe = this.#source.subscribe(listener);
    for (const event of held) listener(event);
    return unsubscribe;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<E> {
    const waiting: E[] = [];
    let news = deferred<void>();
    let over = false;
    const unsubscribe = this.subscribe((event) => {
      waiting.push(event);
      news.resolve();
    });
    const finish = (): void => {
      over = true;
      news.resolve();
    };
    this.#ended.then(finish, finish);
    try {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as E;
        if (over) return;
        await news.promise;
        news = deferred();
      }
    } finally {
      unsubscribe();
    }
  }
}
