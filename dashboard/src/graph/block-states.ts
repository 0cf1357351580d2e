import type { StepRow } from '../screens/session/page.ts';

/** A type, not an interface, so that it can be the data of a node. */
export type BlockState = {
  readonly state: 'pending' | 'active' | 'passed' | 'failed' | 'unrun';
  readonly visits: number;
  readonly lastMs: number;
};

export const PENDING: BlockState = { state: 'pending', visits: 0, lastMs: 0 };

const RED = /FAIL|ERROR|SUSPICIOUS|LIMIT|REJECT|INVALID/;

export function isRed(signal: string): boolean {
  return RED.test(signal);
}

/** How each block stands after these steps; `running` is the one at work, where one is. */
export function blockStates(
  steps: readonly StepRow[],
  running: string | null,
): ReadonlyMap<string, BlockState> {
  const states = new Map<string, BlockState>();
  for (const { block, signal, ran, ms } of steps) {
    const visits = (states.get(block)?.visits ?? 0) + (ran ? 1 : 0);
    const state = !ran ? 'unrun' : isRed(signal) ? 'failed' : 'passed';
    states.set(block, { state, visits, lastMs: ms });
  }
  if (running !== null) {
    const { visits, lastMs } = states.get(running) ?? PENDING;
    states.set(running, { state: 'active', visits: visits + 1, lastMs });
  }
  return states;
}
