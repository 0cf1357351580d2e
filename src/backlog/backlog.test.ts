import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { findCycle } from './dependencies.ts';
import { FAILURE_CLASSES, mayRetry, nextStepOf, quotaDelayMs, restAfterMs } from './retries.ts';
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
  const limits = { mostRetries: 100 };
  it('B-15 a class allows as many retries as it says', () => {
    const allowed = FAILURE_CLASSES.map((name) => {
      const counts = Array.from({ length: 10 }, (_, failures) => ({ [name]: failures + 1 }));
      return [name, counts.filter((each) => mayRetry(name, each, limits)).length];
    });
    expect(Object.fromEntries(allowed)).toEqual({
      env: 5,
      setup: 3,
      permission: 0,
      policy: 3,
      noop: 0,
      test: 3,
      flaky: 6,
      model: 3,
      model_loop: 1,
    });
  });

  it('B-15 all classes together allow no more retries than the limit of a task', () => {
    const counts = { env: 2, test: 1 };
    expect(mayRetry('env', counts, { mostRetries: 3 })).toBe(true);
    expect(mayRetry('env', counts, { mostRetries: 2 })).toBe(false);
    expect(mayRetry('test', { test: 1 }, { mostRetries: 0 })).toBe(false);
  });

  it('B-15 each class rests in its own way and says what comes next', () => {
    expect([1, 2, 3].map((failures) => restAfterMs('env', failures, 10))).toEqual([10, 20, 40]);
    expect([1, 2].map((failures) => restAfterMs('test', failures, 10))).toEqual([10, 10]);
    expect([1, 2].map((failures) => restAfterMs('setup', failures, 10))).toEqual([20, 40]);
    expect(restAfterMs('env', 60, 30_000)).toBe(30 * 60_000);
    expect(new Set(FAILURE_CLASSES.map(nextStepOf)).size).toBe(FAILURE_CLASSES.length);
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
