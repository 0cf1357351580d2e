/** So far from its old place a quoted line is looked for. */
const NEAR = 200;

export interface Lines {
  /** From 1, both included. */
  readonly from: number;
  readonly to: number;
}

/** Where quoted lines are now: where they were, or the only place near it; undefined when that is not certain. */
export function anchored(
  text: string,
  { from, quote }: { readonly from: number; readonly quote: string },
): Lines | undefined {
  const lines = text.split('\n');
  const wanted = quote.replace(/\n$/, '').split('\n');
  const standsAt = (line: number): boolean =>
    wanted.every((each, offset) => lines[line - 1 + offset]?.trimEnd() === each.trimEnd());
  const lasting = (line: number): Lines => ({ from: line, to: line + wanted.length - 1 });
  if (standsAt(from)) return lasting(from);
  const first = Math.max(1, from - NEAR);
  const near = Array.from({ length: 2 * NEAR + 1 }, (_, n) => first + n).filter(
    (line) => line <= lines.length && standsAt(line),
  );
  const [only] = near;
  return near.length === 1 && only !== undefined ? lasting(only) : undefined;
}
