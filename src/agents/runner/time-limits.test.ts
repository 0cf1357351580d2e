import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Limits, type ReachedLimit, TimeLimits } from './time-limits.ts';

let reached: ReachedLimit[];
beforeEach(() => {
  vi.useFakeTimers();
  reached = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function running(limits: Limits): TimeLimits {
  const made = new TimeLimits(limits, (limit) => reached.push(limit));
  made.resume();
  return made;
}

describe('time limits', () => {
  it('are reached once', () => {
    running({ totalMs: 1000 });
    vi.advanceTimersByTime(999);
    expect(reached).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(reached).toEqual([{ limit: 'total', afterMs: 1000 }]);
  });

  it('of silence starts again with every word, the total limit does not', () => {
    const limits = running({ silenceMs: 100, totalMs: 1000 });
    for (let i = 0; i < 11; i++) {
      vi.advanceTimersByTime(90);
      limits.heard();
    }
    expect(reached).toEqual([]);
    vi.advanceTimersByTime(10);
    expect(reached).toEqual([{ limit: 'total', afterMs: 1000 }]);
  });

  it('do not pass while they are suspended', () => {
    const limits = running({ silenceMs: 100, totalMs: 150 });
    vi.advanceTimersByTime(90);
    limits.suspend();
    limits.suspend();
    vi.advanceTimersByTime(60 * 60 * 1000);
    limits.resume();
    limits.resume();
    vi.advanceTimersByTime(59);
    expect(reached).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reached).toEqual([{ limit: 'total', afterMs: 150 }]);
  });

  it('may be longer than a timer can wait', () => {
    running({ totalMs: 2 ** 32 });
    vi.advanceTimersByTime(2 ** 31);
    expect(reached).toEqual([]);
    vi.advanceTimersByTime(2 ** 31);
    expect(reached).toHaveLength(1);
  });

  it('that do not exist set no timer', () => {
    running({});
    expect(vi.getTimerCount()).toBe(0);
  });
});
