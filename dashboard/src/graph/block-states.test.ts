import { expect, test } from 'vitest';
import type { StepRow } from '../screens/session/page.ts';
import { blockStates } from './block-states.ts';
import { placed } from './layout.ts';

const row = (block: string, signal: string, ran = true): StepRow => ({
  row: 0,
  step: 1,
  block,
  ran,
  signal: `SIGNAL:${signal}`,
  matched: 'exact',
  action: null,
  next: null,
  ms: 5,
  at: 0,
  attempt: 1,
  files: false,
  tokens: 0,
  usd: 0,
});

test('a block is as its last visit left it; the one that runs is at work; a limit is no visit', () => {
  const steps = [
    row('A', 'SUCCESS'),
    row('B', 'FAILURE'),
    row('A', 'SUCCESS'),
    row('B', 'LIMIT_REACHED', false),
  ];
  expect(Object.fromEntries(blockStates(steps, 'A'))).toEqual({
    A: { state: 'active', visits: 3, lastMs: 5 },
    B: { state: 'unrun', visits: 1, lastMs: 5 },
  });
  expect(blockStates(steps, null).get('A')).toMatchObject({ state: 'passed', visits: 2 });
});

test('every block of a graph has a place of its own, also where ways go in circles', () => {
  const blocks = ['A', 'B', 'C'].map((id) => ({ id, node: 'N', worker: 'w', gate: false }));
  const edge = (from: string, to: string | null) => ({ from, to, signal: 'S', action: 'JUMP', call: false });
  const edges = [edge('A', 'B'), edge('B', 'A'), edge('B', 'C'), edge('C', 'C'), edge('C', null)];
  const places = placed({ blocks, edges });
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(3);
});
