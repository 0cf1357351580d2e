import type { Budget } from '../../manifest/definition.ts';
import type { Used } from '../../orchestrator/state/session-state.ts';

function reached(most: number | undefined, spent: number): boolean {
  return most !== undefined && spent >= most;
}

/** Whether anything of a budget has run out. */
export function isSpent(budget: Budget, used: Used): boolean {
  const { steps, tokens, usd, minutes } = budget;
  return (
    reached(steps, used.steps) ||
    reached(tokens, used.tokens) ||
    reached(usd, used.usd) ||
    reached(minutes, used.ms / 60_000)
  );
}

/** Twice what is spent, of what ran out. */
export function larger(budget: Budget, used: Used): string {
  if (budget.steps !== undefined && used.steps >= budget.steps)
    return `steps=${Math.max(10, budget.steps * 2)}`;
  if (budget.tokens !== undefined && used.tokens >= budget.tokens)
    return `tokens=${Math.max(1000, budget.tokens * 2)}`;
  if (budget.usd !== undefined && used.usd >= budget.usd) return `usd=${Math.max(1, budget.usd * 2)}`;
  return `minutes=${Math.max(10, (budget.minutes ?? 0) * 2)}`;
}
