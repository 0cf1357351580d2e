/** The signal that a value of the output stands for: `needs work` becomes `SIGNAL:NEEDS_WORK`. */
export function signalOfValue(value: string | boolean): string {
  return `SIGNAL:${String(value)
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '_')}`;
}
