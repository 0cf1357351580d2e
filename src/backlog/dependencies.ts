import { UsageError } from '../kernel/errors.ts';

export type Needs = ReadonlyMap<string, readonly string[]>;

/** A way from a task back to itself, first and last the same; undefined when there is none. */
export function findCycle(needs: Needs): string[] | undefined {
  const finished = new Set<string>();
  for (const start of needs.keys()) {
    const way: { readonly id: string; readonly rest: string[] }[] = [
      { id: start, rest: [...(needs.get(start) ?? [])] },
    ];
    while (way.length > 0) {
      const here = way[way.length - 1];
      const next = here?.rest.pop();
      if (next === undefined) {
        if (here) finished.add(here.id);
        way.pop();
        continue;
      }
      const from = way.findIndex(({ id }) => id === next);
      if (from >= 0) return [...way.slice(from).map(({ id }) => id), next];
      if (!finished.has(next)) way.push({ id: next, rest: [...(needs.get(next) ?? [])] });
    }
  }
  return undefined;
}

export function refuseCycle(needs: Needs, nameOf: (id: string) => string): void {
  const cycle = findCycle(needs);
  if (!cycle) return;
  throw new UsageError(`The dependencies go in a circle: ${cycle.map(nameOf).join(' needs ')}.`, {
    next: 'Take one of them out. Nothing was changed.',
  });
}
