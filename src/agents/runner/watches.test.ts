import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentError } from '../event.ts';
import { OwnWaitWatch } from './own-wait.ts';
import { SameToolWatch } from './same-tool.ts';
import { TimeLimits } from './time-limits.ts';

const error: AgentError = { type: 'error', kind: 'quota', message: 'spent' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a CLI that waits by itself', () => {
  it('is given up at once for hours, never for seconds, and after two minutes where it does not say', () => {
    const given: AgentError[] = [];
    const watch = new OwnWaitWatch(undefined, (each) => given.push(each));
    watch.look({ error, ms: 30_000 });
    vi.advanceTimersByTime(600_000);
    expect(given).toEqual([]);
    watch.look({ error, ms: 3_600_000 });
    expect(given).toEqual([error]);
    watch.look(undefined);
    watch.look({ error });
    vi.advanceTimersByTime(119_999);
    watch.look({ error });
    expect(given).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(given).toHaveLength(2);
  });

  it('that asks again is left alone', () => {
    const given: AgentError[] = [];
    const watch = new OwnWaitWatch(undefined, (each) => given.push(each));
    watch.look({ error });
    watch.look(undefined);
    vi.advanceTimersByTime(600_000);
    expect(given).toEqual([]);
  });
});

describe('an agent that goes round in circles', () => {
  const call = (command: string, id = command) =>
    ({ type: 'tool', id, name: 'Bash', input: { command } }) as const;
  const ended = (id: string, ok: boolean, output = 'no such file') =>
    ({ type: 'tool.ended', id, ok, output }) as const;

  it('is seen by equal calls, also where two take turns', () => {
    const watch = new SameToolWatch(3);
    const heard = ['a', 'b', 'a', 'b', 'a', 'b'].map((each) => watch.hear(call(each)));
    expect(heard.slice(0, 5).every((each) => each === undefined)).toBe(true);
    expect(heard[5]).toMatchObject({ kind: 'loop', message: expect.stringContaining('3 times') });
  });

  it('is not seen where each round has something new, as testing between edits has', () => {
    const watch = new SameToolWatch(3);
    for (let round = 0; round < 20; round++) {
      expect(watch.hear(call('npm test'))).toBeUndefined();
      expect(watch.hear(call(`edit ${round}`))).toBeUndefined();
    }
  });

  it('is seen by equal failures of different calls; one that works begins anew', () => {
    const watch = new SameToolWatch(3);
    const fail = (id: string) => {
      watch.hear(call(id));
      return watch.hear(ended(id, false));
    };
    expect([fail('1'), fail('2')]).toEqual([undefined, undefined]);
    watch.hear(call('ok'));
    watch.hear(ended('ok', true));
    expect([fail('3'), fail('4')]).toEqual([undefined, undefined]);
    expect(fail('5')).toMatchObject({ kind: 'loop' });
  });
});

describe('silence', () => {
  it('does not pass while a tool runs, and begins anew after it', () => {
    const reached: unknown[] = [];
    const limits = new TimeLimits({ silenceMs: 100 }, (limit) => reached.push(limit));
    limits.resume();
    limits.busy(true);
    vi.advanceTimersByTime(10_000);
    expect(reached).toEqual([]);
    limits.busy(false);
    vi.advanceTimersByTime(99);
    expect(reached).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(reached).toEqual([{ limit: 'silence', afterMs: 100 }]);
  });
});
