import type { Budget } from '../../manifest/definition.ts';
import type { ResolvedBlock } from '../../manifest/resolved.ts';
import type { SessionState, TrailEntry, Used } from '../state/session-state.ts';

const MINUTE = 60_000;

/** Why the block may not run now, or undefined. A person's retry grants one run in spite of it. */
export function reachedLimit(block: ResolvedBlock, state: SessionState): string | undefined {
  const { limits } = block;
  if (!limits || state.granted.includes(block.id)) return undefined;
  const counted = state.frames.at(-1)?.[block.id];
  const visits = counted?.visits ?? 0;
  if (limits.visits !== undefined && visits >= limits.visits) {
    return `${block.id} has run ${times(visits)}; its limit is ${limits.visits}`;
  }
  if (limits.minutes !== undefined && (counted?.ms ?? 0) >= limits.minutes * MINUTE) {
    return `${block.id} has used its ${limits.minutes} minutes`;
  }
  return undefined;
}

/**
 * Why the block goes no further after the run it just had, or undefined. Equal failures are counted when they happen,
 * not before the next run: whatever is paid for in between is tested.
 */
export function repeatedFailure(block: ResolvedBlock, state: SessionState): string | undefined {
  const last = state.trail.at(-1);
  if (!last || !isLeft(last) || last.block !== block.id || state.granted.includes(block.id)) return undefined;
  const { sameFailures = 0 } = state.frames.at(-1)?.[block.id] ?? {};
  return `${block.id} has failed in the same way ${times(sameFailures)} in a row`;
}

/** Whether this failure is the one that the block's limit of equal failures names. */
export function failsAgain(block: ResolvedBlock, state: SessionState, failure: string): boolean {
  const limit = sameFailureLimit(block);
  const before = state.frames.at(-1)?.[block.id];
  const equal = before?.failure === failure ? before.sameFailures + 1 : 1;
  return limit !== undefined && equal >= limit;
}

/** A step that ran and left its block through no transition. */
function isLeft({ ran, action, next, block }: TrailEntry): boolean {
  return ran && action === null && next === block;
}

/** Also of a session whose manifest was frozen before the field was renamed. */
export function sameFailureLimit({ limits }: ResolvedBlock): number | undefined {
  return limits?.sameFailure ?? limits?.same_failure;
}

/** Which part of the session's budget is spent, or undefined. */
export function spentBudget(budget: Budget, used: Used): string | undefined {
  if (budget.steps !== undefined && used.steps >= budget.steps) return `${budget.steps} steps`;
  if (budget.tokens !== undefined && used.tokens >= budget.tokens) return `${budget.tokens} tokens`;
  if (budget.usd !== undefined && used.usd >= budget.usd) return `${budget.usd} USD`;
  if (budget.minutes !== undefined && used.ms >= budget.minutes * MINUTE) return `${budget.minutes} minutes`;
  return undefined;
}

/** How long the block may run now, by its own limit and by the session's budget. */
export function remainingMs(
  block: ResolvedBlock,
  state: SessionState,
): { ms: number; by: 'limit' | 'budget' } | undefined {
  const own = block.limits?.minutes;
  const usedByBlock = state.granted.includes(block.id) ? 0 : (state.frames.at(-1)?.[block.id]?.ms ?? 0);
  const forBlock = own === undefined ? Number.POSITIVE_INFINITY : own * MINUTE - usedByBlock;
  const { minutes } = state.budget;
  const forSession = minutes === undefined ? Number.POSITIVE_INFINITY : minutes * MINUTE - state.used.ms;
  const ms = Math.min(forBlock, forSession);
  if (ms === Number.POSITIVE_INFINITY) return undefined;
  return { ms, by: forBlock <= forSession ? 'limit' : 'budget' };
}

function times(n: number): string {
  return n === 1 ? 'once' : `${n} times`;
}
