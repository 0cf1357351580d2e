interface Worked<T, R> {
  readonly results: readonly R[];
  /** Why one of them broke; the others were ended because of it. */
  readonly error?: unknown;
  /** Those that were running or had not begun when it happened. */
  readonly stopped: readonly T[];
}

/** Works off a list, so many at a time. The first that breaks ends the others. */
export class Crew<T, R> {
  readonly #size: number;
  readonly #act: (item: T, cancel: AbortSignal) => Promise<R>;

  constructor(size: number, act: (item: T, cancel: AbortSignal) => Promise<R>) {
    this.#size = Math.max(1, size);
    this.#act = act;
  }

  async work(items: readonly T[]): Promise<Worked<T, R>> {
    const results: R[] = [];
    const left = [...items];
    const unfinished = new Set(items);
    const control = new AbortController();
    let broken: { readonly error: unknown } | undefined;
    const hand = async (): Promise<void> => {
      for (let item = left.shift(); item !== undefined && !broken; item = left.shift()) {
        try {
          const result = await this.#act(item, control.signal);
          if (broken) return;
          results.push(result);
          unfinished.delete(item);
        } catch (error) {
          unfinished.delete(item);
          broken ??= { error };
          control.abort();
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#size, items.length) }, hand));
    return broken ? { results, error: broken.error, stopped: [...unfinished] } : { results, stopped: [] };
  }
}
