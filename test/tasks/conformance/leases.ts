import { describe, expect, it } from 'vitest';
import { beatMs } from '../../../src/backlog/scheduler.ts';
import { type Bench, LEASE_MS } from './bench.ts';

/** Who owns a task, for how long, and what a former owner can still do: nothing. */
export function describeLeases(bench: () => Bench): void {
  describe('leases', () => {
    const done = { state: 'done', reason: 'proven' } as const;

    it('RUN-12 a release ends lease, run and state at once, in every outcome', async () => {
      const endings = [
        done,
        { state: 'failed', reason: 'x', failureCode: 'failed', failureClass: 'noop' },
        { state: 'blocked', block: 'needs_rework', failureClass: 'noop', reason: 'x' },
        { state: 'blocked', block: 'awaiting_judge', reason: 'x' },
        {
          state: 'blocked',
          block: 'quota_wait',
          cause: 'quota',
          until: Number.MAX_SAFE_INTEGER,
          reason: 'x',
        },
        { state: 'cancelled', reason: 'x' },
      ] as const;
      await bench().add(...endings.map((_, i) => ({ title: `t${i}` })));
      for (const ending of endings) {
        const claim = await bench().take();
        bench().world.clock.pass(5);
        await expect(bench().finish(claim, ending)).resolves.toBe(true);
        await expect(bench().store.scheduler.renew(claim)).resolves.toBe(false);
        const { runs } = await bench().store.backlog.history(claim.task.id);
        const ok = ending === done || ending === endings[3];
        const state = ok ? 'success' : ending.state === 'cancelled' ? 'cancelled' : 'failed';
        expect(runs).toMatchObject([{ state, finishedAt: bench().world.clock.now() }]);
        await expect(bench().store.backlog.get(claim.task.id)).resolves.toMatchObject({
          state: ending.state,
        });
      }
    });

    it('RUN-11 artifacts and outcome are recorded with the run, each once', async () => {
      await bench().add({ title: 'productive' });
      const claim = await bench().take();
      const branch = { type: 'branch', ref: 'lw/1' };
      const artifacts = [branch, { type: 'commit', ref: 'abc', data: { files: 1 } }];
      await bench().finish(claim, { ...done, artifacts, outcome: { usd: 0.5 } });
      const history = await bench().store.backlog.history(claim.task.id);
      expect(history.artifacts).toMatchObject(artifacts);
      expect(history.runs).toMatchObject([{ outcome: { usd: 0.5 } }]);
      expect(history.events.map(({ state }) => state)).toEqual(['queued', 'running', 'done']);
    });

    it('a renewed lease stays; one whose time is over is taken over with run and session', async () => {
      await bench().add({ title: 'long' });
      const { clock } = bench().world;
      const { scheduler } = bench().store;
      const old = await bench().take();
      const rival = bench().world.rival().scheduler;
      for (let i = 0; i < 3; i++) {
        clock.pass(LEASE_MS - 1);
        await expect(scheduler.renew(old)).resolves.toBe(true);
        await expect(bench().claim({}, rival)).resolves.toBeUndefined();
      }
      clock.pass(LEASE_MS);
      const taken = await bench().take({ agentId: 'bob' }, rival);
      expect(taken).toMatchObject({
        epoch: 2,
        runId: old.runId,
        sessionId: old.sessionId,
        attempt: 1,
        continues: true,
        takenFrom: { agentId: 'ann', epoch: 1 },
      });
    });

    it('whoever lost the lease can renew, extend and release nothing', async () => {
      await bench().add({ title: 'contested' });
      const { scheduler, backlog } = bench().store;
      const old = await bench().take();
      const rival = bench().world.rival().scheduler;
      await bench().outlive({}, rival);
      const taken = await bench().take({}, rival);
      await expect(scheduler.renew(old)).resolves.toBe(false);
      await expect(scheduler.extend(old, ['x.ts'])).resolves.toBeUndefined();
      await expect(scheduler.release(old, done)).resolves.toBe(false);
      await expect(backlog.get(old.task.id)).resolves.toMatchObject({ state: 'running' });
      await expect(backlog.history(old.task.id)).resolves.toMatchObject({ artifacts: [] });
      await expect(scheduler.release(taken, done)).resolves.toBe(true);
      await expect(scheduler.release(taken, done)).resolves.toBe(false);
    });

    it('epochs never repeat, however often a task is claimed, lost and requeued', async () => {
      const [id = ''] = await bench().add({ title: 'again' });
      const epochs: number[] = [];
      for (let round = 0; round < 3; round++) {
        epochs.push((await bench().take()).epoch);
        await bench().outlive();
        const taken = await bench().take();
        epochs.push(taken.epoch);
        await bench().finish(taken, {
          state: 'blocked',
          block: 'needs_rework',
          failureClass: 'noop',
          reason: 'x',
        });
        await bench().store.scheduler.requeue(id, { reason: 'rework' });
      }
      expect(epochs).toEqual([1, 2, 3, 4, 5, 6]);
    });

    it('the task of a process that is gone is taken over at once', async () => {
      await bench().add({ title: 'orphan' });
      const old = await bench().take({}, bench().world.rival({ dead: true }).scheduler);
      await expect(bench().take()).resolves.toMatchObject({ runId: old.runId, epoch: 2 });
    });

    it('cancelling a running task takes its lease away', async () => {
      const [id = ''] = await bench().add({ title: 'stop' });
      const claim = await bench().take();
      await bench().store.scheduler.cancel(id, 'enough');
      await expect(bench().store.scheduler.renew(claim)).resolves.toBe(false);
      await expect(bench().finish(claim)).resolves.toBe(false);
      const { runs } = await bench().store.backlog.history(id);
      expect(runs).toMatchObject([{ state: 'cancelled' }]);
    });

    it('a clock that jumps back neither loses a renewed lease nor keeps a lost one', async () => {
      await bench().add({ title: 'time traveller' });
      const { clock } = bench().world;
      const { scheduler } = bench().store;
      const rival = bench().world.rival().scheduler;
      const old = await bench().take();
      clock.wall -= 3_600_000;
      await expect(scheduler.renew(old)).resolves.toBe(true);
      await expect(bench().claim({}, rival)).resolves.toBeUndefined();
      clock.pass(LEASE_MS - 1);
      await expect(scheduler.renew(old)).resolves.toBe(true);
      await expect(bench().claim({}, rival)).resolves.toBeUndefined();
      clock.pass(LEASE_MS);
      await expect(bench().claim({}, rival)).resolves.toBeUndefined();
      clock.pass(LEASE_MS + 1);
      await expect(bench().take({}, rival)).resolves.toMatchObject({ epoch: 2 });
    });

    it('a clock that is ahead takes nothing from an owner that renews', async () => {
      await bench().add({ title: 'on time' });
      const { clock } = bench().world;
      const { scheduler } = bench().store;
      const rival = bench().world.rival({ aheadMs: 24 * 3_600_000 }).scheduler;
      const owned = await bench().take();
      for (let beat = 0; beat < 6; beat++) {
        await expect(bench().claim({}, rival)).resolves.toBeUndefined();
        clock.pass(beatMs(LEASE_MS));
        await expect(scheduler.renew(owned)).resolves.toBe(true);
      }
      await expect(bench().claim({}, rival)).resolves.toBeUndefined();
    });

    it('a task that ends one owner after another is ended itself, with the reason', async () => {
      const [id = ''] = await bench().add({ title: 'kills its runtime' });
      const dead = bench().world.rival({ dead: true }).scheduler;
      const attempts: number[] = [];
      for (let owner = 0; owner < 4; owner++) attempts.push((await bench().take({}, dead)).attempt);
      expect(attempts).toEqual([1, 1, 1, 1]);
      await expect(bench().claim()).resolves.toBeUndefined();
      await expect(bench().store.backlog.get(id)).resolves.toMatchObject({
        state: 'blocked',
        blockReason: 'needs_rework',
        failureCode: 'runtime_died',
      });
      const { runs, events } = await bench().store.backlog.history(id);
      expect(runs).toMatchObject([{ state: 'failed' }]);
      expect(events.at(-1)?.reason).toMatch(/^4 runtimes died at it, one after the other/);
    });

    it('owners that finished a step before they died are not counted', async () => {
      await bench().add({ title: 'long and unlucky' });
      const dead = bench().world.rival({ dead: true }).scheduler;
      for (let owner = 0; owner < 8; owner++) {
        const claim = await bench().take({}, dead);
        expect(claim.advanced).toBe(owner === 0 ? undefined : true);
        await dead.advance(claim);
      }
    });

    it('a session that is continued after a wait says that steps of it were finished', async () => {
      const [id = ''] = await bench().add({ title: 'parked' });
      const first = await bench().take();
      await bench().store.scheduler.advance(first);
      await bench().finish(first, { state: 'queued', reason: 'stopped' });
      await expect(bench().take()).resolves.toMatchObject({ sessionId: first.sessionId, advanced: true });
      await bench().store.scheduler.cancel(id, 'x');
      await bench().store.scheduler.requeue(id, { reason: 'again' });
      expect((await bench().take()).advanced).toBeUndefined();
    });

    it('a role takes over only its own', async () => {
      await bench().add({ title: 'tests', role: 'tester' });
      await bench().take({ role: 'tester' });
      bench().world.clock.pass(LEASE_MS);
      await expect(bench().claim()).resolves.toBeUndefined();
      await bench().outlive({ role: 'tester' });
      await expect(bench().take({ role: 'tester' })).resolves.toMatchObject({ epoch: 2 });
    });
  });
}
