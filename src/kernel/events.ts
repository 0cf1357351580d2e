export interface EventStream<E> {
  /** Calls `listener` for every later event; the returned function ends it. */
  subscribe(listener: (event: E) => void): () => void;
}

/**
 * One typed stream. A listener that throws is not the emitter's problem: its error surfaces on the next
 * tick as an uncaught exception of the listener's owner, and the others still get the event.
 */
export class EventSource<E> implements EventStream<E> {
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
