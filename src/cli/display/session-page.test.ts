import { expect, test } from 'vitest';
import { budgetWords } from './session-page.ts';

const used = { steps: 7, tokens: 0, usd: 0, ms: 90_000 };

test('the budget shows what is limited or was spent, and nothing else', () => {
  expect(budgetWords({ used, budget: { steps: 50 } })).toBe('7 of 50 steps, 1m 30s at work');
  expect(
    budgetWords({ used: { ...used, tokens: 1200, usd: 0.125 }, budget: { steps: 50, usd: 2, minutes: 30 } }),
  ).toBe('7 of 50 steps, 1200 tokens, 0.13 of 2 USD, 1.5 of 30 minutes');
});
