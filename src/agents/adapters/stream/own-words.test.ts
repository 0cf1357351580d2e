import { describe, expect, it } from 'vitest';
import { errorInWords } from './own-words.ts';

const NOW = Date.parse('2026-11-15T18:00:30Z');
const NONE: readonly string[] = [];
const kindOf = (said: readonly string[], errors = NONE) => errorInWords({ said, errors }, 'ended', NOW).kind;

describe('what went wrong by the words of a CLI (B-18)', () => {
  it.each([
    ['AssertionError: expected 429 to be 200 // rate limit'],
    ['  ✗ waits when the rate limit is reached (12 ms)'],
    ['FAIL test/quota.test.ts > usage limit reached'],
    ['not ok 3 - quota exceeded is retried'],
    ['    at RateLimiter.check (src/rate-limit.js:12:5)'],
    ['src/rate-limit.ts:12:5 - error TS2304: Cannot find name usage_limit'],
    ['Tests failed: too many requests are not refused'],
    ['test_rate_limit_429 FAILED'],
    ['+ expect(error).toBe("quota exceeded")'],
    ['The rate limit tests fail: 2 failed, 3 passed'],
  ])('a test that mentions a limit spends no quota: %s', (line) => {
    expect(kindOf([line])).toBe('crash');
    expect(kindOf([], [line])).toBe('crash');
  });

  it.each([
    ['Quota limit reached', undefined],
    ['throttled, wait 5 minutes', '2026-11-15T18:05:30.000Z'],
    ["You've hit your usage limit. Try again at 3am (America/New_York).", '2026-11-16T08:00:00.000Z'],
  ])('a sentence of the provider does: %s', (line, at) => {
    for (const words of [
      { said: ['I will begin.', line], errors: NONE },
      { said: ['I will begin.'], errors: [line] },
    ]) {
      const error = errorInWords(words, 'ended', NOW);
      expect(error.kind).toBe('quota');
      expect(error.resetAt).toBe(at === undefined ? undefined : Date.parse(at));
    }
  });

  it('believes the error channel before what was said, and of that the last lines only', () => {
    expect(kindOf(['quota exceeded'], ['fetch failed'])).toBe('network');
    const log = ['quota exceeded', 'reading a.ts', 'reading b.ts', 'reading c.ts'];
    expect(kindOf(log)).toBe('crash');
    expect(kindOf(log.toReversed())).toBe('quota');
  });

  it('keeps all the words as the message', () => {
    expect(errorInWords({ said: ['a'], errors: ['b'] }, 'ended', NOW).message).toBe('a\nb');
    expect(errorInWords({ said: [], errors: [] }, 'ended', NOW).message).toBe('ended');
  });
});
