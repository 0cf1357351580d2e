/** Every beginning of a text, the empty one and the text itself included. */
export function beginningsOf(text: string): string[] {
  return Array.from({ length: text.length + 1 }, (_, length) => text.slice(0, length));
}
