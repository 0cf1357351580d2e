import { describe, expect, it } from 'vitest';
import type { Bench } from './bench.ts';

/** Which task is claimed, and in which order. */
export function describeClaiming(bench: () => Bench): void {
  describe('claiming', () => {
    it('gives a task once, with a run, a session and the first epoch', async () => {
      const [id] = await bench().add({ title: 'one' });
      const claim = await bench().take();
      expect(claim).toMatchObject({ attempt: 1, epoch: 1, continues: false, agents: ['codex'] });
      expect(claim.task).toMatchObject({ id, state: 'running', attempts: 1 });
      await expect(bench().claim()).resolves.toBeUndefined();
      const { runs } = await bench().store.backlog.history(claim.task.id);
      expect(runs).toMatchObject([
        { id: claim.runId, state: 'running', sessionId: claim.sessionId, epoch: 1 },
      ]);
    });

    it('of several that claim at once each gets another one, and nobody the same', async () => {
      await bench().add({ title: 'a' }, { title: 'b' }, { title: 'c' });
      const { world, store } = bench();
      const rivals = [store, world.rival(), world.rival(), world.rival()].map(({ scheduler }) => scheduler);
      const claims = await Promise.all(rivals.map((rival) => bench().claim({}, rival)));
      expect(claims.map((claim) => claim?.task.title ?? '-').sort()).toEqual(['-', 'a', 'b', 'c']);
    });

    it('places that are asked for together get what one after the other would have got', async () => {
      await bench().add(
        { title: 'last', priority: 120 },
        { title: 'first', priority: 1, allowedPaths: ['src/**'] },
        { title: 'clashes with first', priority: 2, allowedPaths: ['src/a.ts'] },
        { title: 'of another agent', priority: 3, agents: ['claude'] },
        { title: 'not in line', role: 'tester' },
      );
      const asked = Array.from({ length: 5 }, () => bench().claim());
      const claims = await Promise.all(asked);
      const titles = claims.map((claim) => claim?.task.title);
      expect(titles).toEqual(['first', 'of another agent', 'last', undefined, undefined]);
      const [first] = claims;
      if (first) await bench().finish(first);
      await expect(bench().titles()).resolves.toEqual(['clashes with first']);
    });

    it('the lower priority number goes first, then the older', async () => {
      await bench().add({ title: 'usual' }, { title: 'urgent', priority: 1 }, { title: 'usual too' });
      bench().world.clock.pass(1000);
      await bench().add({ title: 'late and urgent', priority: 1 });
      await expect(bench().titles()).resolves.toEqual(['urgent', 'late and urgent', 'usual', 'usual too']);
    });

    it('no starvation: a task gains on later ones of better priority while it waits', async () => {
      await bench().add({ title: 'patient', priority: 110 });
      bench().world.clock.pass(24 * 3_600_000);
      await bench().add({ title: 'fresh', priority: 100 }, { title: 'at once', priority: 1 });
      await expect(bench().titles()).resolves.toEqual(['at once', 'patient', 'fresh']);
    });

    it('RUN-01 a role gets only its own tasks', async () => {
      await bench().add(
        { title: 'code' },
        { title: 'tests', role: 'tester' },
        { title: 'docs', role: 'docser' },
      );
      await expect(bench().titles({ role: 'tester' })).resolves.toEqual(['tests']);
      await expect(bench().titles({ role: 'docser' })).resolves.toEqual(['docs']);
      await expect(bench().titles()).resolves.toEqual(['code']);
    });

    it('a task waits until all it depends on is done', async () => {
      const [first = '', second = ''] = await bench().add({ title: 'first' }, { title: 'second' });
      await bench().add({ title: 'last', dependencies: [first, second] });
      const claims = [await bench().take(), await bench().take()];
      await expect(bench().claim()).resolves.toBeUndefined();
      for (const [i, claim] of claims.entries()) {
        await expect(bench().claim()).resolves.toBeUndefined();
        const state = i === 0 ? 'done' : 'failed';
        await bench().finish(
          claim,
          state === 'done'
            ? { state, reason: 'proven' }
            : { state, reason: 'it broke', failureCode: 'x', failureClass: 'env' },
        );
      }
      await expect(bench().claim()).resolves.toBeUndefined();
      bench().world.clock.pass(60_000);
      await bench().finish(await bench().take());
      await expect(bench().take()).resolves.toMatchObject({
        task: { title: 'last', dependencies: [first, second].sort() },
      });
    });

    it('B-14 a task that may change the same files waits, and holds up nobody behind it', async () => {
      await bench().add(
        { title: 'api', allowedPaths: ['src/api/**'] },
        { title: 'one file', allowedPaths: ['src/api/x.ts'] },
        { title: 'same again', allowedPaths: ['src/api/**'] },
        { title: 'docs', allowedPaths: ['docs/'] },
        { title: 'free' },
      );
      const api = await bench().take();
      await expect(bench().titles()).resolves.toEqual(['docs', 'free']);
      const waiting = await bench().store.backlog.list({ states: ['queued'] });
      expect(waiting.map(({ waitsFor }) => waitsFor)).toEqual([
        `task ${api.task.id}, which may change src/api/**`,
        `task ${api.task.id}, which may change src/api/**`,
      ]);
      await bench().finish(api);
      const next = await bench().take();
      expect(next.task.title).toBe('one file');
      await expect(bench().claim()).resolves.toBeUndefined();
      await bench().finish(next);
      await expect(bench().titles()).resolves.toEqual(['same again']);
    });

    it('a task that clashes with many small ones is let through in the end', async () => {
      await bench().add(small(0), { title: 'wide', allowedPaths: ['src/**'] }, small(1));
      const running = [await bench().take(), await bench().take()];
      expect(running.map(({ task }) => task.title)).toEqual(['small 0', 'small 1']);
      await expect(bench().claim()).resolves.toBeUndefined();
      bench().world.clock.pass(11 * 60_000);
      await bench().add(small(2), { title: 'docs', allowedPaths: ['docs/'] });
      for (const claim of running) await bench().store.scheduler.renew(claim);
      for (const claim of running) {
        await expect(bench().titles()).resolves.toEqual(claim === running[0] ? ['docs'] : []);
        await bench().finish(claim);
      }
      await expect(bench().take()).resolves.toMatchObject({ task: { title: 'wide' } });
    });

    it('B-14 direct tasks share one folder and go one after the other', async () => {
      await bench().add({ title: 'a', mode: 'direct' }, { title: 'b' }, { title: 'c', mode: 'local-git' });
      const a = await bench().take({ mode: 'direct' });
      await expect(bench().titles({ mode: 'direct' })).resolves.toEqual(['c']);
      await bench().finish(a);
      await expect(bench().titles({ mode: 'direct' })).resolves.toEqual(['b']);
    });

    it('what was imported before is not added again', async () => {
      await bench().add({ title: 'one', source: 'file#1' });
      await expect(bench().store.backlog.add([{ title: 'one', source: 'file#1' }])).resolves.toMatchObject({
        added: [],
      });
      await expect(bench().titles()).resolves.toEqual(['one']);
    });
  });
}

function small(n: number): { title: string; allowedPaths: string[] } {
  return { title: `small ${n}`, allowedPaths: [`src/${n}.ts`] };
}
