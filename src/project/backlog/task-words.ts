import type { Task } from '../../backlog/task.ts';
import { duration } from '../../kernel/words.ts';

/** `done` without a passed command says so, and a wait that is not for quota too. */
export function stateWord({ state, blockReason, waitCause, unverified }: Task): string {
  const cause = waitCause === undefined || waitCause === 'quota' ? '' : `: ${waitCause}`;
  const word = blockReason === undefined ? state : `${state} (${blockReason}${cause})`;
  return unverified ? `${word}, unverified` : word;
}

/** What it waits for and for how much longer; empty when it waits for nothing. */
export function waitWord({ waitsFor, waitsUntil }: Task, now = Date.now()): string {
  if (waitsFor === undefined) return '';
  return waitsUntil === undefined
    ? waitsFor
    : `${waitsFor}, ${duration(Math.max(0, waitsUntil - now))} still`;
}

export { STATES } from '../../backlog/words.ts';
export { ROLES } from '../../kernel/runtime-words.ts';
