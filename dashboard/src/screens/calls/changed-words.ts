/** The lines of a prompt that a person changed or added: what the next worker has to know. */
export function changedWords(before: string, after: string): string {
  const known = new Set(before.split('\n'));
  return after
    .split('\n')
    .filter((line) => !known.has(line))
    .join('\n')
    .trim();
}
