/** As much of a step as decides what stands beside what. */
interface Step {
  readonly block: string;
  readonly attempt: number;
  readonly signal: string;
  readonly next: string | null;
}

export interface Aligned<S> {
  readonly rows: readonly { readonly a: S | null; readonly b: S | null }[];
  readonly differs: number | null;
}

/** Two trails beside each other: the same attempt at the same block in one row, as long as the order allows it. */
export function aligned<S extends Step>(one: readonly S[], other: readonly S[]): Aligned<S> {
  const places = new Map(other.map((step, index) => [keyOf(step), index]));
  const rows: { a: S | null; b: S | null }[] = [];
  let next = 0;
  for (const step of one) {
    const place = places.get(keyOf(step));
    if (place === undefined || place < next) {
      rows.push({ a: step, b: null });
      continue;
    }
    for (; next < place; next++) rows.push({ a: null, b: other[next] ?? null });
    rows.push({ a: step, b: other[next] ?? null });
    next++;
  }
  for (; next < other.length; next++) rows.push({ a: null, b: other[next] ?? null });
  const differs = rows.findIndex(({ a, b }) => a?.signal !== b?.signal || a?.next !== b?.next || !a || !b);
  return { rows, differs: differs < 0 ? null : differs };
}

function keyOf({ block, attempt }: Step): string {
  return `${block} ${attempt}`;
}
