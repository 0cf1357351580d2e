import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cycles, reach, reversed, walk } from './flow.ts';

const graph = fc
  .array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
  .map((rows) => new Map(rows.map((row, id) => [`b${id}`, row.map((to) => `b${to % rows.length}`)])));

describe('the flow of a graph', () => {
  it('ENG-32 groups exactly the blocks that reach each other', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const ids = [...edges.keys()];
        const leads = (from: string, to: string): boolean => reach(edges.get(from) ?? [], edges).has(to);
        const wanted = ids
          .map((id) => ids.filter((other) => leads(id, other) && leads(other, id)))
          .filter((group) => group.length > 0);
        const unique = new Set(wanted.map((group) => group.join()));
        expect(new Set(cycles(edges).map((group) => group.join()))).toEqual(unique);
      }),
      { numRuns: 1000, seed: 17 },
    );
  });

  it('ENG-32 without the arrows that lead back there is no cycle', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const back = new Set<string>();
        walk(edges, { back: (from, to) => back.add(`${from} ${to}`) });
        const forward = new Map(
          [...edges].map(([from, targets]) => [from, targets.filter((to) => !back.has(`${from} ${to}`))]),
        );
        expect(cycles(forward)).toEqual([]);
        expect(back.size === 0).toBe(cycles(edges).length === 0);
      }),
      { numRuns: 1000, seed: 19 },
    );
  });

  it('ENG-06 reversing twice gives the same arrows', () => {
    fc.assert(
      fc.property(graph, (edges) => {
        const sorted = (of: typeof edges): unknown =>
          [...of].map(([id, targets]) => [id, [...targets].sort()]);
        expect(sorted(new Map([...reversed(reversed(edges))].map(([id, to]) => [id, [...to]])))).toEqual(
          sorted(edges),
        );
      }),
      { numRuns: 200, seed: 23 },
    );
  });
});
