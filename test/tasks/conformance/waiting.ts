import { describe, expect, it } from 'vitest';
import { quotaDelayMs } from '../../../src/backlog/retries.ts';
import { type Bench, COOL_DOWN_MS, REWORK_MS } from './bench.ts';

/** Tasks that wait for time, quota or a person. */
export function describeWaiting(bench: () => Bench): void {
  describe('waiting', () => {
    it('a clock that is set back lengthens no wait', async () => {
      const { clock } = bench().world;
      await bench().add({ title: 'parked' }, { title: 'another' });
      const parked = await bench().take();
      const until = clock.now() + 60_000;
      const quota = {
        state: 'blocked',
        block: 'quota_wait',
        cause: 'quota',
        until,
        agent: 'codex',
        reason: 'spent',
      } as const;
      await bench().finish(parked, quota);
      await expect(bench().claim()).resolves.toBeUndefined();
      clock.wall -= 365 * 24 * 3_600_000;
      await expect(bench().titles()).resolves.toEqual(['parked', 'another']);
    });

    it('B-15 a failed task rests, then is tried again as often as its category allows', async () => {
      const [id = ''] = await bench().add({ title: 'fragile' });
      for (let attempt = 1; attempt <= 4; attempt++) {
        const claim = await bench().take();
        expect(claim.attempt).toBe(attempt);
        await bench().finish(claim, {
          state: 'failed',
          reason: 'red',
          failureCode: 'failed',
          failureClass: 'test',
        });
        await expect(bench().claim()).resolves.toBeUndefined();
        bench().world.clock.pass(COOL_DOWN_MS - 1);
        await expect(bench().claim()).resolves.toBeUndefined();
        bench().world.clock.pass(1);
      }
      await expect(bench().claim()).resolves.toBeUndefined();
      await expect(bench().store.backlog.get(id)).resolves.toMatchObject({ state: 'failed', attempts: 4 });
    });

    it('B-15 what needs rework is taken up by itself as often as its class allows, then waits for a person', async () => {
      const [id = ''] = await bench().add({ title: 'red' });
      const fail = async (failureClass: 'model_loop' | 'test', more: object = {}) => {
        const red = {
          state: 'blocked',
          block: 'needs_rework',
          reason: 'red',
          failureClass,
          ...more,
        } as const;
        await bench().finish(await bench().take(), red);
        return bench().store.backlog.get(id);
      };
      const first = await fail('model_loop');
      expect(first).toMatchObject({ blockReason: 'needs_rework', failureClass: 'model_loop' });
      expect(first?.waitsUntil).toBe(bench().world.clock.now() + 4 * REWORK_MS);
      await expect(bench().claim()).resolves.toBeUndefined();
      bench().world.clock.pass(4 * REWORK_MS);
      const second = await fail('model_loop');
      expect(second).toMatchObject({ state: 'blocked', waitsFor: expect.stringContaining('the circle') });
      expect(second?.waitsUntil).toBeUndefined();
      await bench().store.scheduler.requeue(id, { reason: 'go on' });
      expect((await fail('test'))?.waitsUntil).toBe(bench().world.clock.now() + REWORK_MS);
      bench().world.clock.pass(REWORK_MS);
      expect((await fail('test', { byPerson: true }))?.waitsUntil).toBeUndefined();
    });

    it('B-15 a task is tried again by itself no more often than the limit of all classes', async () => {
      await bench().add({ title: 'unlucky' });
      const classes = ['env', 'test', 'model', 'setup', 'policy', 'flaky', 'env'] as const;
      for (const [index, failureClass] of classes.entries()) {
        const claim = await bench().take();
        expect(claim.attempt).toBe(index + 1);
        await bench().finish(claim, { state: 'failed', reason: 'x', failureCode: 'x', failureClass });
        bench().world.clock.pass(3_600_000);
      }
      await expect(bench().claim()).resolves.toBeUndefined();
    });

    it('a wait for a service that is down is not called quota', async () => {
      await bench().add({ title: 'cut off' });
      const claim = await bench().take();
      const until = bench().world.clock.now() + 60_000;
      const down = { state: 'blocked', block: 'quota_wait', cause: 'outage', agent: 'codex' } as const;
      await bench().finish(claim, { ...down, until, reason: '529' });
      await expect(bench().store.backlog.get(claim.task.id)).resolves.toMatchObject({
        blockReason: 'quota_wait',
        waitCause: 'outage',
        waitsFor: 'the service of codex',
      });
      bench().world.clock.pass(60_000);
      await bench().take();
      const { events } = await bench().store.backlog.history(claim.task.id);
      expect(events.map(({ reason }) => reason)).toContain('the wait for the service is over');
      const now = await bench().store.backlog.get(claim.task.id);
      expect(now?.waitCause).toBeUndefined();
    });

    it('B-18 ST-08 a task out of quota wakes up by itself and continues its session and attempt', async () => {
      await bench().add({ title: 'thirsty' });
      const before = await bench().take();
      const until = bench().world.clock.now() + 60_000;
      await bench().finish(before, {
        state: 'blocked',
        block: 'quota_wait',
        cause: 'quota',
        until,
        reason: '429',
      });
      await expect(bench().store.backlog.get(before.task.id)).resolves.toMatchObject({
        state: 'blocked',
        blockReason: 'quota_wait',
        waitsUntil: until,
      });
      await expect(bench().store.scheduler.nextWake()).resolves.toBe(until);
      await expect(bench().claim()).resolves.toBeUndefined();
      bench().world.clock.pass(60_000);
      const after = await bench().take();
      expect(after).toMatchObject({ sessionId: before.sessionId, attempt: 1, continues: true, epoch: 2 });
      expect(after.runId).not.toBe(before.runId);
    });

    it('B-18 a task that hits the quota again and again waits longer each time, until a run gets through', async () => {
      const [id = ''] = await bench().add({ title: 'thirsty' });
      const hit = async (hintMs: number): Promise<number> => {
        const at = bench().world.clock.now();
        const quota = {
          state: 'blocked',
          block: 'quota_wait',
          cause: 'quota',
          until: at + hintMs,
          reason: '429',
        } as const;
        await bench().finish(await bench().take(), quota);
        const { waitsUntil = 0 } = (await bench().store.backlog.get(id)) ?? {};
        bench().world.clock.pass(waitsUntil - at - 1);
        await expect(bench().claim()).resolves.toBeUndefined();
        bench().world.clock.pass(1);
        return waitsUntil - at;
      };
      const waits = [await hit(0), await hit(0), await hit(0)];
      expect(waits).toEqual([0, 1, 2].map((hits) => quotaDelayMs(id, hits)));
      for (const [i, base] of [30_000, 60_000, 120_000].entries()) {
        expect(waits[i]).toBeGreaterThanOrEqual(base);
        expect(waits[i]).toBeLessThanOrEqual(base * 1.25);
      }
      // Longer than its own delay, so the hint is taken as it is; shorter, so it is not.
      expect(await hit(3_600_000)).toBe(3_600_000);
      expect(await hit(1000)).toBe(quotaDelayMs(id, 4));
      await expect(bench().store.backlog.get(id)).resolves.toMatchObject({ quotaHits: 5 });
      await bench().finish(await bench().take(), {
        state: 'blocked',
        block: 'needs_rework',
        failureClass: 'noop',
        reason: 'red',
      });
      await expect(bench().store.backlog.get(id)).resolves.toMatchObject({ quotaHits: 0 });
      await bench().store.scheduler.requeue(id, { reason: 'again' });
      expect(await hit(0)).toBe(waits[0]);
    });

    it('B-18 one quota hit parks every task of the same agent at once, and no other', async () => {
      await bench().add({ title: 'a' }, { title: 'b' }, { title: 'c', agents: ['claude'] });
      await bench().add({ title: 'd', agents: ['codex', 'claude'] });
      const a = await bench().take();
      const until = bench().world.clock.now() + 45_000;
      const quota = {
        state: 'blocked',
        block: 'quota_wait',
        cause: 'quota',
        until,
        agent: 'codex',
        reason: '429',
      } as const;
      await bench().finish(a, quota);
      await expect(bench().take()).resolves.toMatchObject({ task: { title: 'c' } });
      await expect(bench().take()).resolves.toMatchObject({ task: { title: 'd' }, agents: ['claude'] });
      await expect(bench().claim()).resolves.toBeUndefined();
      bench().world.clock.pass(44_999);
      await expect(bench().claim()).resolves.toBeUndefined();
      bench().world.clock.pass(1);
      await expect(bench().titles()).resolves.toEqual(['a', 'b']);
    });

    it('what waits for a person is claimed only after that person has spoken', async () => {
      const [id = ''] = await bench().add({ title: 'judged' });
      const rework = { block: 'needs_rework', failureClass: 'permission' } as const;
      for (const blocked of [rework, { block: 'awaiting_judge' } as const]) {
        const { block } = blocked;
        await bench().finish(await bench().take(), { state: 'blocked', ...blocked, reason: block });
        bench().world.clock.pass(10 * 3_600_000);
        await expect(bench().claim()).resolves.toBeUndefined();
        await bench().store.scheduler.requeue(id, { reason: 'rework', notes: `after ${block}` });
      }
      const claim = await bench().take();
      expect(claim).toMatchObject({ attempt: 3, continues: false, task: { notes: 'after awaiting_judge' } });
      await bench().finish(claim, { state: 'blocked', block: 'awaiting_judge', reason: 'ready' });
      await bench().store.scheduler.approve(id, 'fine');
      await expect(bench().store.backlog.get(id)).resolves.toMatchObject({ state: 'done' });
      await expect(bench().store.scheduler.requeue(id, { reason: 'again' })).rejects.toThrow('is done');
    });

    it('what was done and undone waits for a verdict again, and so do those that need it', async () => {
      const [id = ''] = await bench().add({ title: 'first' });
      await bench().add({ title: 'second', dependencies: [id] });
      const { scheduler, backlog } = bench().store;
      await expect(scheduler.reopen(id, 'undone')).rejects.toThrow('it has delivered nothing');
      await bench().finish(await bench().take(), { state: 'done', reason: 'ok' });
      await scheduler.reopen(id, 'undone');
      await expect(backlog.get(id)).resolves.toMatchObject({
        state: 'blocked',
        blockReason: 'awaiting_judge',
        waitsFor: expect.stringContaining('your verdict'),
      });
      expect((await backlog.history(id)).events.at(-1)).toMatchObject({ state: 'blocked', reason: 'undone' });
      await expect(bench().claim()).resolves.toBeUndefined();
      await scheduler.approve(id, 'once more');
      await expect(bench().take()).resolves.toMatchObject({ task: { title: 'second' } });
    });

    it('a task that was given back continues where it was, as the same attempt', async () => {
      await bench().add({ title: 'parked' });
      const before = await bench().take();
      await bench().finish(before, { state: 'queued', reason: 'the runtime stops' });
      const after = await bench().take();
      expect(after).toMatchObject({ sessionId: before.sessionId, attempt: 1, continues: true });
      const until = bench().world.clock.now() + 1000;
      await bench().finish(after, {
        state: 'queued',
        reason: 'its lock is held',
        restMs: 1000,
        waitsFor: 'the lock',
      });
      await expect(bench().claim()).resolves.toBeUndefined();
      await expect(bench().store.scheduler.nextWake()).resolves.toBe(until);
      bench().world.clock.pass(1000);
      await expect(bench().titles()).resolves.toEqual(['parked']);
    });

    it('a task out of quota that is requeued with notes starts again, so that they are read', async () => {
      const [id = ''] = await bench().add({ title: 'told' });
      const before = await bench().take();
      const until = bench().world.clock.now() + 5000;
      await bench().finish(before, {
        state: 'blocked',
        block: 'quota_wait',
        cause: 'quota',
        reason: 'spent',
        until,
      });
      await bench().store.scheduler.requeue(id, { reason: 'by a person', notes: 'use the other library' });
      const after = await bench().take();
      expect(after).toMatchObject({ attempt: 2, continues: false, task: { notes: 'use the other library' } });
      expect(after.sessionId).not.toBe(before.sessionId);
    });

    it('a cancelled task is not claimed; requeue brings it back', async () => {
      const [id = ''] = await bench().add({ title: 'unwanted' });
      await bench().store.scheduler.cancel(id, 'no');
      await expect(bench().claim()).resolves.toBeUndefined();
      await bench().store.scheduler.requeue(id, { reason: 'yes' });
      await expect(bench().titles()).resolves.toEqual(['unwanted']);
    });
  });
}
