import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, resetTime } from './reset-time.ts';
import { nextClockTime } from './when.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-15T18:00:30Z');

describe('when a limit is over (B-18)', () => {
  it.each([
    ['Please try again in 20s.', NOW + 20_000],
    ['try again in 1h 2m 3s', NOW + 3_723_000],
    ['retry after 500ms', NOW + 500],
    ['"retryDelay":"36000s"', NOW + 36_000_000],
    ['{"resets_at":1794773153,"resets_in_seconds":3600}', 1_794_773_153_000],
    ["You've hit your limit · resets 7:27pm (UTC)", Date.parse('2026-11-15T19:27:00Z')],
    ['resets 5:59pm (UTC)', Date.parse('2026-11-16T17:59:00Z')],
    ['limit resets at 3am (America/New_York)', Date.parse('2026-11-16T08:00:00Z')],
    ['try again at Nov 20th, 2026 7:34 PM.', new Date(2026, 10, 20, 19, 34).getTime()],
    ['Please wait and try again later.', undefined],
    ['It failed 3 times at noon', undefined],
  ])('%s', (text, at) => {
    expect(resetTime(text, NOW)).toBe(at);
  });

  it('takes a zone that nobody knows for the clock of the machine', () => {
    expect(resetTime('resets 7:27pm (Moonbase)', NOW)).toBe(resetTime('resets 7:27pm', NOW));
  });

  it('a clock time is always ahead, by at most a day', () => {
    const zone = fc.constantFrom('UTC', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Los_Angeles');
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.nat(23),
        fc.nat(59),
        zone,
        (now, hour, minute, name) => {
          const at = nextClockTime(hour, minute, { name }, now);
          expect(at).toBeGreaterThan(now);
          expect(at - now).toBeLessThanOrEqual(DAY_MS);
        },
      ),
    );
  });

  it('tells seconds from milliseconds', () => {
    expect(epochMs(1_794_773_153)).toBe(1_794_773_153_000);
    expect(epochMs(1_794_773_153_000)).toBe(1_794_773_153_000);
  });
});
