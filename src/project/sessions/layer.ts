/** `exact`: as the worker got it. `reconstructed`: by what is known now; `why` says what could differ. */
export interface Layer<T> {
  readonly value: T;
  readonly certainty: 'exact' | 'reconstructed';
  readonly why?: string;
}

export function exact<T>(value: T): Layer<T> {
  return { value, certainty: 'exact' };
}

export function reconstructed<T>(value: T, why: string): Layer<T> {
  return { value, certainty: 'reconstructed', why };
}
