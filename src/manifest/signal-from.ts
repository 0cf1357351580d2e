import type { JsonValue } from '../kernel/json.ts';

/** The signal that a value of the output stands for: `needs work` becomes `SIGNAL:NEEDS_WORK`. */
export function signalOfValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `SIGNAL:${text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '_')}`;
}
