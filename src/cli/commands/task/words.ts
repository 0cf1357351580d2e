import type { Task } from '../../../backlog/task.ts';
import { duration } from '../../../kernel/words.ts';
import type { Paint, Style } from '../../display/style.ts';

/** `done` without a passed command says so. */
export function stateWord({ state, blockReason, unverified }: Task): string {
  const word = blockReason === undefined ? state : `${state} (${blockReason})`;
  return unverified ? `${word}, unverified` : word;
}

/** What it waits for and how long still; empty when it is over. */
export function waitWord({ waitsFor, waitsUntil }: Task, now = Date.now()): string {
  if (waitsFor === undefined) return '';
  return waitsUntil === undefined
    ? waitsFor
    : `${waitsFor}, ${duration(Math.max(0, waitsUntil - now))} still`;
}

export function statePaint({ state }: Task, style: Style): Paint {
  switch (state) {
    case 'running':
      return style.cyan;
    case 'done':
      return style.green;
    case 'failed':
      return style.red;
    case 'blocked':
      return style.yellow;
    default:
      return style.dim;
  }
}
