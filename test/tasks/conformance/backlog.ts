import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../src/backlog/validate.ts';
import { STATES } from '../../../src/backlog/words.ts';
import type { Bench } from './bench.ts';

/** What is asked for, how it is changed, and what is said about it. */
export function describeBacklog(bench: () => Bench): void {
  const backlog = () => bench().store.backlog;

  const addOne = async (title: string, dependencies: string[] = []): Promise<string> =>
    (await backlog().add([{ title, dependencies, allowedPaths: [`${title.replaceAll(' ', '-')}.ts`] }]))
      .added[0] ?? '';

  const titles = async (filter: Parameters<ReturnType<typeof backlog>['list']>[0]) =>
    (await backlog().list(filter)).map(({ title }) => title);

  const waits = async () => {
    const open = await backlog().list({ states: ['queued', 'running'] });
    const tasks = await backlog().withWaits(open, () => ['codex']);
    return tasks.map(({ waitsFor, waitsUntil }) => `${waitsFor}${waitsUntil === undefined ? '' : ', until'}`);
  };

  describe('backlog', () => {
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
      const { added } = await backlog().add([draft]);
      await expect(backlog().get(added[0] ?? '')).resolves.toMatchObject({
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
      await expect(backlog().add([{ title: 'fine' }, draft])).rejects.toThrow(message);
      await expect(backlog().ids()).resolves.toEqual([]);
    });

    it('refuses dependencies that go in a circle, in a list and by editing', async () => {
      const circle = [
        { title: 'a', dependencies: ['b'] },
        { title: 'b', dependencies: ['c'] },
        { title: 'c', dependencies: ['a'] },
      ];
      await expect(backlog().add(circle)).rejects.toThrow('in a circle: a needs b needs c needs a');
      const first = await addOne('first');
      const second = await addOne('second', [first]);
      await expect(backlog().edit(first, { dependencies: [second] })).rejects.toThrow('in a circle');
      await expect(backlog().edit(first, { dependencies: [first] })).rejects.toThrow('in a circle');
      await expect(addOne('third', ['nowhere'])).rejects.toThrow('needs "nowhere", which is no task');
    });

    it('editing changes what is in line, not what runs or is done', async () => {
      const id = await addOne('slow');
      const urgent = await addOne('other');
      await backlog().edit(urgent, { priority: 1, agents: ['claude'] });
      expect((await backlog().list()).map(({ title }) => title)).toEqual(['other', 'slow']);
      const request = {
        agentId: 'a',
        role: 'worker',
        agents: ['codex'],
        mode: 'direct',
        leaseMs: 1000,
      } as const;
      await bench().store.scheduler.claim(request);
      await expect(backlog().edit(urgent, { priority: 2 })).rejects.toThrow('is running');
      await expect(backlog().remove(urgent)).rejects.toThrow('is running');
      await backlog().remove(id);
      await expect(backlog().get(id)).resolves.toBeUndefined();
    });

    it('a task that others need is not removed', async () => {
      const id = await addOne('needed');
      const other = await addOne('needs it', [id]);
      await expect(backlog().remove(id)).rejects.toThrow(`is needed by ${other}`);
      await backlog().edit(other, { dependencies: [] });
      await backlog().remove(id);
    });

    it('lists by state, role and number, in the order of the line', async () => {
      await bench().add({ title: 'a' }, { title: 'b', role: 'tester' }, { title: 'c', priority: 1 });
      await bench().take();
      await expect(titles({})).resolves.toEqual(['c', 'a', 'b']);
      await expect(titles({ states: ['queued'] })).resolves.toEqual(['a', 'b']);
      await expect(titles({ states: STATES, role: 'tester' })).resolves.toEqual(['b']);
      await expect(titles({ states: [] })).resolves.toEqual([]);
      await expect(titles({ limit: 1 })).resolves.toEqual(['c']);
    });

    it('every task that is not over says what it waits for', async () => {
      const { scheduler } = bench().store;
      const first = await addOne('first');
      await addOne('second', [first]);
      await bench().add({ title: 'third', agents: ['claude'] }, { title: 'fourth', role: 'tester' });
      const [spent = ''] = await bench().add({ title: 'spent', agents: ['claude'], priority: 0 });
      const until = bench().world.clock.now() + 60_000;
      const quota = {
        state: 'blocked',
        block: 'quota_wait',
        cause: 'quota',
        until,
        agent: 'claude',
        reason: '429',
      } as const;
      await bench().finish(await bench().take({ only: spent }), quota);
      await scheduler.cancel(spent, 'no more of it');
      await expect(waits()).resolves.toEqual([
        'a free worker',
        `task ${first}`,
        'quota of claude, until',
        'a free tester',
      ]);
      await bench().take();
      expect((await waits())[0]).toBe('its run by ann, until');
      await scheduler.cancel(first, 'no');
      expect((await waits())[0]).toBe(`task ${first} (cancelled)`);
    });

    it('what was delivered without a command that passed is marked', async () => {
      const ids = await bench().add(
        { title: 'proven' },
        { title: 'said so' },
        { title: 'asked', kind: 'research' },
        { title: 'planned', kind: 'research' },
        { title: 'without sources', kind: 'research' },
        { title: 'held without another word', kind: 'research' },
      );
      const outcomes = [
        { outcome: 'verified' },
        { outcome: 'unverified' },
        { outcome: 'verified' },
        { outcome: 'planned' },
        { outcome: 'unverified' },
        { outcome: 'nothing_found', proven: true },
      ];
      for (const outcome of outcomes)
        await bench().finish(await bench().take(), {
          state: 'done',
          reason: 'ok',
          outcome: { outcome },
        });
      const tasks = await backlog().withProof(await backlog().list());
      expect(tasks.map(({ id, unverified }) => [id, unverified])).toEqual([
        [ids[0], undefined],
        [ids[1], true],
        [ids[2], undefined],
        [ids[3], undefined],
        [ids[4], true],
        [ids[5], undefined],
      ]);
    });
  });
}
