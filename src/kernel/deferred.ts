export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

/** A promise that somebody else resolves. */
export function deferred<T>(): Deferred<T> {
  const made: { resolve?: (value: T) => void } = {};
  const promise = new Promise<T>((resolve) => {
    made.resolve = resolve;
  });
  return { promise, resolve: (value) => made.resolve?.(value) };
}
