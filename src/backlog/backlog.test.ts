import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { findCycle } from './dependencies.ts';
import { mayRetry, quotaDelayMs } from './retries.ts';
import { checkChange, TRANSITIONS } from './states.ts';
import { type RunState, STATES, type TaskState } from './words.ts';

describe('dependencies', () => {
  it('finds a circle exactly where one is', () => {
    const edges = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 10 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const needs = new Map<string, string[]>();
        for (const [a, b] of pairs) needs.set(`${a}`, [...(needs.get(`${a}`) ?? []), `${b}`]);
        const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
          (needs.get(from) ?? []).some(
            (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
          );
        const cycle = findCycle(needs);
        expect(cycle !== undefined).toBe([...needs.keys()].some((id) => reaches(id, id)));
        for (const [i, id] of cycle?.entries() ?? [])
          if (cycle && i + 1 < cycle.length) expect(needs.get(id)).toContain(cycle[i + 1]);
      }),
    );
  });
});

describe('states', () => {
  it('ST-07 the states of tasks and runs are these, and every other change is refused', () => {
    expectTypeOf<TaskState>().toEqualTypeOf<
      'queued' | 'running' | 'done' | 'failed' | 'blocked' | 'cancelled'
    >();
    expectTypeOf<RunState>().toEqualTypeOf<'running' | 'success' | 'failed' | 'cancelled'>();
    for (const from of STATES) {
      for (const to of STATES) {
        const change = () => checkChange({ id: 't', state: from }, to);
        if (TRANSITIONS[from].includes(to)) change();
        else expect(change).toThrow(`is ${from}: it cannot be`);
      }
    }
  });
});

describe('trying again', () => {
  it('B-15 a category allows as many retries as it says', () => {
    expect([mayRetry('env', 5), mayRetry('env', 6)]).toEqual([true, false]);
    expect(mayRetry('permission', 1)).toBe(false);
    expect([mayRetry('model-loop', 1), mayRetry('model-loop', 2)]).toEqual([true, false]);
  });

  it('the delay grows from 30 s to 30 min; a longer hint of the provider is taken as it is', () => {
    const delays = [0, 1, 2, 3, 10].map((hits) => quotaDelayMs('task', hits) / 1000);
    for (const [i, base] of [30, 60, 120, 240, 1800].entries()) {
      expect(delays[i]).toBeGreaterThanOrEqual(base);
      expect(delays[i]).toBeLessThanOrEqual(base * 1.25);
    }
    expect(quotaDelayMs('task', 0, 3_600_000)).toBe(3_600_000);
    expect(quotaDelayMs('task', 3, 1000)).toBe(quotaDelayMs('task', 3));
    expect(quotaDelayMs('one', 1)).not.toBe(quotaDelayMs('two', 1));
    expect(quotaDelayMs('one', 1)).toBe(quotaDelayMs('one', 1));
  });
});
