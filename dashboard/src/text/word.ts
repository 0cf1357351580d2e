/** A value of an action or an address as one word: texts as they are, numbers and switches written out. */
export function word(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
