/** The candidate a person most likely meant, or undefined when none is close. */
export function suggest(written: string, candidates: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance > Math.max(2, Math.floor(name.length / 3))) continue;
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best?.name;
}

export function didYouMean(written: string, candidates: Iterable<string>): string {
  const name = suggest(written, candidates);
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}

/** Damerau-Levenshtein (optimal string alignment): a swap of neighbours counts once. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
