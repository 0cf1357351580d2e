import type { JsonObject } from '../kernel/json.ts';
import { didYouMean } from '../kernel/suggest.ts';

/** Complaints about keys of a block's `with` that its worker does not know. */
export function unknownParameters(parameters: JsonObject, known: readonly string[]): string[] {
  return Object.keys(parameters)
    .filter((key) => !known.includes(key))
    .map((key) => `"${key}" is not a parameter of this worker.${didYouMean(key, known)}`);
}
