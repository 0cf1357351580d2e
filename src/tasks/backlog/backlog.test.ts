import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { Database } from '../../store/database.ts';
import { quotaDelayMs } from '../scheduler/backoff.ts';
import { LocalScheduler } from '../scheduler/local.ts';
import { Backlog } from './backlog.ts';
import { findCycle } from './dependencies.ts';
import { mayRetry } from './retries.ts';
import { changeState, TRANSITIONS } from './states.ts';
import { type RunState, STATES, type TaskState } from './task.ts';
import { problemsOf } from './validate.ts';
import { withWaits } from './waits.ts';

describe('backlog', () => {
  let folder: string;
  let database: Database;
  let backlog: Backlog;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lw-backlog-'));
    database = Database.open(join(folder, 'loopwright.db'));
    backlog = new Backlog(database);
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const addOne = async (title: string, dependencies: string[] = []): Promise<string> =>
    (await backlog.add([{ title, dependencies }])).added[0] ?? '';

  it('keeps every field', async () => {
    const draft = {
      title: 'all',
      goal: 'of it',
      kind: 'research',
      role: 'docser',
      mode: 'direct',
      allowedPaths: ['docs/'],
      deniedPaths: ['.git/**'],
      expectedFiles: ['docs/a.md'],
      commands: ['npm test'],
      priority: 5,
      timeboxMinutes: 12.5,
      agents: ['claude', 'codex'],
      budget: { usd: 2 },
      context: { research: { question: 'why' } },
      source: 'here#1',
      notes: 'careful',
    } as const;
    const { added } = await backlog.add([draft]);
    await expect(backlog.get(added[0] ?? '')).resolves.toMatchObject({
      ...draft,
      state: 'queued',
      attempts: 0,
    });
  });

  it.each([
    [{ title: '' }, 'it has no title'],
    [{ title: 'a\nb' }, 'a second line'],
    [{ title: 't', role: 'testre' as 'tester' }, 'did you mean "tester"?'],
    [{ title: 't', mode: 'gitlab' as 'github' }, 'mode "gitlab" is not one of github, local-git, direct'],
    [{ title: 't', allowedPaths: ['../x'] }, 'allowed path "../x" leads upwards'],
    [{ title: 't', allowedPaths: ['/etc'] }, 'allowed path "/etc" is absolute'],
    [{ title: 't', deniedPaths: ['a/../..'] }, 'denied path "a/../.." leads upwards'],
    [{ title: 't', expectedFiles: ['../x'] }, 'expected file "../x" leads upwards'],
    [{ title: 't', commands: [' '] }, 'command " " is empty'],
    [{ title: 't', priority: 1.5 }, 'its priority is not a whole number'],
    [{ title: 't', timeboxMinutes: -1 }, 'its timebox is not a positive number'],
    [{ title: 't', agents: ['a,b'] }, 'agent "a,b" is not the name of an agent'],
    [{ title: 't', budget: JSON.parse('{"cents":1}') }, '"cents" is not a part of a budget'],
  ])('refuses %j: %s', async (draft, message) => {
    expect(problemsOf(draft).join()).toContain(message);
    await expect(backlog.add([{ title: 'fine' }, draft])).rejects.toThrow(message);
    await expect(backlog.ids()).resolves.toEqual([]);
  });

  it('refuses dependencies that go in a circle, in a list and by editing', async () => {
    const circle = [
      { title: 'a', dependencies: ['b'] },
      { title: 'b', dependencies: ['c'] },
      { title: 'c', dependencies: ['a'] },
    ];
    await expect(backlog.add(circle)).rejects.toThrow('in a circle: a needs b needs c needs a');
    const first = await addOne('first');
    const second = await addOne('second', [first]);
    await expect(backlog.edit(first, { dependencies: [second] })).rejects.toThrow('in a circle');
    await expect(backlog.edit(first, { dependencies: [first] })).rejects.toThrow('in a circle');
    await expect(addOne('third', ['nowhere'])).rejects.toThrow('needs "nowhere", which is no task');
  });

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

  it('editing changes what is in line, not what runs or is done', async () => {
    const id = await addOne('slow');
    const urgent = await addOne('other');
    await backlog.edit(urgent, { priority: 1, agents: ['claude'] });
    expect((await backlog.list()).map(({ title }) => title)).toEqual(['other', 'slow']);
    const scheduler = new LocalScheduler(database, { coolDownMs: 0 });
    const request = {
      agentId: 'a',
      role: 'worker',
      agents: ['codex'],
      mode: 'direct',
      leaseMs: 1000,
    } as const;
    await scheduler.claim(request);
    await expect(backlog.edit(urgent, { priority: 2 })).rejects.toThrow('is running');
    await expect(backlog.remove(urgent)).rejects.toThrow('is running');
    await backlog.remove(id);
    await expect(backlog.get(id)).resolves.toBeUndefined();
  });

  it('a task that others need is not removed', async () => {
    const id = await addOne('needed');
    const other = await addOne('needs it', [id]);
    await expect(backlog.remove(id)).rejects.toThrow(`is needed by ${other}`);
    await backlog.edit(other, { dependencies: [] });
    await backlog.remove(id);
  });

  it('every task that is not over says what it waits for', async () => {
    const scheduler = new LocalScheduler(database, { coolDownMs: 1000 });
    const first = await addOne('first');
    await addOne('second', [first]);
    await backlog.add([
      { title: 'third', agents: ['claude'] },
      { title: 'fourth', role: 'tester' },
    ]);
    await scheduler.blockAgent('claude', { until: Date.now() + 60_000, reason: 'spent' });
    const waits = async () => {
      const known = { now: Date.now(), agentsOf: () => ['codex'] };
      const tasks = await withWaits(database.query, await backlog.list(), known);
      return tasks.map(
        ({ waitsFor, waitsUntil }) => `${waitsFor}${waitsUntil === undefined ? '' : ', until'}`,
      );
    };
    await expect(waits()).resolves.toEqual([
      'a free worker',
      `task ${first}`,
      'quota of claude, until',
      'a free tester',
    ]);
    await scheduler.claim({
      agentId: 'ann',
      role: 'worker',
      agents: ['codex'],
      mode: 'direct',
      leaseMs: 1000,
    });
    expect((await waits())[0]).toBe('its run by ann, until');
    await scheduler.cancel(first, 'no');
    expect((await waits())[1]).toBe(`task ${first} (cancelled)`);
  });

  it('ST-07 the states of tasks and runs are these, and every change is in the table', async () => {
    expectTypeOf<TaskState>().toEqualTypeOf<
      'queued' | 'running' | 'done' | 'failed' | 'blocked' | 'cancelled'
    >();
    expectTypeOf<RunState>().toEqualTypeOf<'running' | 'success' | 'failed' | 'cancelled'>();
    for (const from of STATES) {
      for (const to of STATES) {
        const id = await addOne(`${from} to ${to}`);
        await database.query.updateTable('task').set({ state: from }).where('id', '=', id).execute();
        const row = await database.query
          .selectFrom('task')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const change = database.transact((rows) => changeState(rows, row, { to, reason: 'test', at: 1 }));
        if (TRANSITIONS[from].includes(to)) {
          await change;
          const { events } = await backlog.history(id);
          expect(events.at(-1)).toMatchObject({ state: to, reason: 'test' });
        } else await expect(change).rejects.toThrow(`is ${from}: it cannot be`);
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

  it('B-18 the delay grows from 30 s to 30 min; a longer hint of the provider is taken as it is', () => {
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
