import { describe, expect, it } from 'vitest';
import type { Bench } from './bench.ts';

/** Sessions with a change plan and tasks see each other, whoever came first. */
export function describeClashes(bench: () => Bench): void {
  const waitsFor = async (id: string) => (await bench().store.backlog.get(id))?.waitsFor;

  describe('sessions and tasks that may change the same files', () => {
    it('B-14 a session waits for a running task, and both are listed as clashing', async () => {
      const [id = ''] = await bench().add({ title: 'api', allowedPaths: ['src/api/**'] });
      const claim = await bench().take();
      const { plans } = bench().store;
      await plans.enter('S', ['src/**']);
      await expect(plans.admit('S')).resolves.toEqual({
        admitted: false,
        waitsFor: [{ kind: 'task', id, status: 'running', path: 'src/api/**' }],
      });
      await expect(plans.conflicts()).resolves.toEqual([
        {
          between: [
            { kind: 'session', id: 'S' },
            { kind: 'task', id },
          ],
          path: 'src/api/**',
        },
      ]);
      await bench().finish(claim);
      await expect(plans.admit('S')).resolves.toEqual({ admitted: true });
      await expect(plans.conflicts()).resolves.toEqual([]);
    });

    it('B-14 a task waits for a session at work, in line or put aside, and goes when it has left', async () => {
      const { plans } = bench().store;
      const [id = ''] = await bench().add({ title: 'api', allowedPaths: ['src/api/x.ts'] });
      await bench().add({ title: 'docs', allowedPaths: ['docs/'] });
      await plans.enter('S', ['src/**']);
      await expect(bench().titles()).resolves.toEqual(['docs']);
      await expect(waitsFor(id)).resolves.toBe('session S, which may change src/**');
      await plans.admit('S');
      await expect(bench().claim()).resolves.toBeUndefined();
      await plans.hold('S');
      await expect(bench().claim()).resolves.toBeUndefined();
      await expect(plans.conflicts()).resolves.toEqual([
        {
          between: [
            { kind: 'session', id: 'S' },
            { kind: 'task', id },
          ],
          path: 'src/api/x.ts',
        },
      ]);
      await plans.leave('S');
      await expect(bench().titles()).resolves.toEqual(['api']);
    });

    it('B-14 tasks at the same area do not run side by side, though their files differ', async () => {
      const areas = ['src/db/** migrations/**'];
      await bench().add(
        { title: 'table', allowedPaths: ['src/db/table.ts'] },
        { title: 'migration', allowedPaths: ['migrations/7.sql'] },
        { title: 'page', allowedPaths: ['src/page.ts'] },
      );
      const first = await bench().take({ areas });
      expect(first.task.title).toBe('table');
      await expect(bench().take({ areas })).resolves.toMatchObject({ task: { title: 'page' } });
      await expect(bench().claim({ areas })).resolves.toBeUndefined();
      await bench().finish(first);
      await expect(bench().take({ areas })).resolves.toMatchObject({ task: { title: 'migration' } });
    });

    it('B-14 a role has no more tasks at work than its lane allows, whoever asks', async () => {
      await bench().add(
        { title: 'one', role: 'docser', allowedPaths: ['a'] },
        { title: 'two', role: 'docser', allowedPaths: ['b'] },
        { title: 'other', allowedPaths: ['c'] },
      );
      const lane = { role: 'docser', most: 1 } as const;
      const first = await bench().take(lane);
      await expect(bench().claim({ ...lane, agentId: 'another' })).resolves.toBeUndefined();
      await expect(bench().take({ most: 1 })).resolves.toMatchObject({ task: { title: 'other' } });
      await bench().finish(first);
      await expect(bench().take(lane)).resolves.toMatchObject({ task: { title: 'two' } });
    });

    it('a session in line goes before every task in line', async () => {
      await bench().add(
        { title: 'first', allowedPaths: ['src/**'] },
        { title: 'next', allowedPaths: ['src/**'] },
      );
      const first = await bench().take();
      const { plans } = bench().store;
      await plans.enter('S', ['src/a.ts']);
      await bench().finish(first);
      await expect(bench().claim()).resolves.toBeUndefined();
      await expect(plans.admit('S')).resolves.toEqual({ admitted: true });
      await plans.leave('S');
      await expect(bench().titles()).resolves.toEqual(['next']);
    });

    it('WRK-22 a running task that means to change more extends its lease, and others wait for that too', async () => {
      await bench().add({ title: 'growing', allowedPaths: ['src/a.ts'] });
      const claim = await bench().take();
      const { plans, scheduler } = bench().store;
      await plans.enter('S', ['docs/**']);
      await plans.admit('S');
      await expect(scheduler.extend(claim, ['docs/b.md', 'lib/b.ts'])).resolves.toMatchObject([
        { kind: 'session', id: 'S', path: 'docs/**' },
      ]);
      await expect(scheduler.extend(claim, ['lib/b.ts'])).resolves.toEqual([]);
      await bench().add({ title: 'lib', allowedPaths: ['lib/**'] });
      await expect(bench().claim()).resolves.toBeUndefined();
      await plans.enter('T', ['lib/b.ts']);
      await expect(plans.admit('T')).resolves.toMatchObject({ admitted: false });
      await plans.leave('T');
      await bench().finish(claim);
      await expect(bench().titles()).resolves.toEqual(['lib']);
    });

    it('a task without allowed paths may change anything: it waits for everybody, and everybody for it', async () => {
      const [all = ''] = await bench().add({ title: 'all', allowedPaths: [] });
      const [docs = ''] = await bench().add({ title: 'docs', allowedPaths: ['docs/'] });
      const [too = ''] = await bench().add({ title: 'all too', allowedPaths: [] });
      const claim = await bench().take();
      await expect(bench().claim()).resolves.toBeUndefined();
      const because = `task ${all}, which may change anything, as it has no allowed paths`;
      await expect(waitsFor(docs)).resolves.toBe(because);
      await expect(waitsFor(too)).resolves.toBe(
        `${because}; it may change anything itself, as it has no allowed paths`,
      );
      const { backlog, plans } = bench().store;
      const told = await backlog.withWaits(await backlog.list({ states: ['queued'] }), () => ['codex']);
      expect(told.map(({ next }) => next?.id)).toEqual([undefined, 'task.edit']);
      expect(told[1]?.next?.with).toEqual({ task: too });
      await plans.enter('S', ['README.md']);
      await expect(plans.admit('S')).resolves.toMatchObject({ waitsFor: [{ kind: 'task', id: all }] });
      await plans.leave('S');
      await bench().finish(claim);
      await expect(bench().titles()).resolves.toEqual(['docs']);
    });

    it('editing its paths lets a task that waited for everybody go', async () => {
      await bench().add({ title: 'docs', allowedPaths: ['docs/'] });
      const [id = ''] = await bench().add({ title: 'all', allowedPaths: [] });
      await bench().take();
      await expect(bench().claim()).resolves.toBeUndefined();
      await bench().store.backlog.edit(id, { allowedPaths: ['src/**'] });
      await expect(bench().titles()).resolves.toEqual(['all']);
    });

    it('research changes no files and clashes with nobody', async () => {
      await bench().add({ title: 'all', allowedPaths: [] });
      await bench().add({ title: 'question', kind: 'research', allowedPaths: [], mode: 'direct' });
      await expect(bench().titles()).resolves.toEqual(['all', 'question']);
    });
  });
}
