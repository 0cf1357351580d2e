import type { JsonValue } from './json.ts';
import type { Masker } from './mask.ts';

/**
 * Masks every text of a parsed value, keys included: an escape can hide a secret from the masking of the JSON
 * that it was parsed from. Gives back the same value when there was none.
 */
export function maskJson<T extends JsonValue>(masker: Masker, value: T): T;
export function maskJson(masker: Masker, value: JsonValue): JsonValue {
  if (typeof value === 'string') return masker.mask(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const masked = value.map((entry: JsonValue) => maskJson(masker, entry));
    return masked.some((entry, index) => entry !== value[index]) ? masked : value;
  }
  const entries = Object.entries(value);
  const masked = entries.map(([key, inner]): (typeof entries)[number] => [
    masker.mask(key),
    inner === undefined ? inner : maskJson(masker, inner),
  ]);
  const changed = masked.some(
    ([key, inner], index) => key !== entries[index]?.[0] || inner !== entries[index][1],
  );
  return changed ? Object.fromEntries(masked) : value;
}
