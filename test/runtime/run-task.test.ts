import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import { StorageError } from '../../src/kernel/errors.ts';
import type { WorkerFunction } from '../../src/manifest/worker.ts';
import { takeLock } from '../../src/tasks/lock/lock.ts';
import { runTask } from '../../src/tasks/run-task.ts';
import { work } from '../../src/tasks/work.ts';
import { overruled, programFlow, RuntimeLab } from './lab.ts';

const never = new AbortController().signal;
describe('run-task', () => {
  let lab: RuntimeLab;
  beforeEach(() => {
    lab = new RuntimeLab();
  });
  afterEach(() => lab.close());

  it('RUN-04 RUN-11 RUN-13 the steps run in their order, and run, task and lease are updated at the end', async () => {
    const id = await lab.add();
    const release = await runTask(lab.runtime(programFlow('')), await lab.claim(), never);
    expect(release?.state).toBe('done');
    expect(lab.steps()).toEqual(['lock', 'prepare', 'flow', 'record', 'release']);
    expect((await lab.backlog.get(id))?.state).toBe('done');
    const { runs } = await lab.backlog.history(id);
    expect(runs).toMatchObject([{ state: 'success', attempt: 1 }]);
    expect(runs[0]?.finishedAt).toBeTypeOf('number');
    expect(lab.closed).toBe(1);
  });

  it('RUN-05 a lock that is held: no checkout, no snapshot, no model call', async () => {
    const id = await lab.add();
    const held = await takeLock(join(lab.dir, 'locks'), id);
    const release = await runTask(lab.runtime(programFlow('')), await lab.claim(), never);
    expect(release).toBeUndefined();
    expect(lab.steps()).toEqual(['lock']);
    expect((await lab.backlog.get(id))?.state).toBe('queued');
    await held?.release();
  });

  it('GRD-04 a claim that is delivered twice runs once: the second delivery does nothing', async () => {
    const id = await lab.add();
    const claim = await lab.claim();
    const flow = programFlow("require('fs').appendFileSync('runs', 'x')");
    const again: unknown[] = [];
    // The first one is held inside its own run until the second has come and gone.
    const prepare = async () => {
      again.push(await runTask(lab.runtime(flow), claim, never));
      return lab.prepared();
    };
    expect((await runTask(lab.runtime(flow, { prepare }), claim, never))?.state).toBe('done');
    again.push(await runTask(lab.runtime(flow), claim, never));
    expect(again).toEqual([undefined, undefined]);
    const told = lab.events.flatMap((event) => (event.type === 'task.skipped' ? [event.reason] : []));
    expect(told).toEqual(['it is being run already', 'it is done already']);
    expect(readFileSync(join(lab.dir, 'runs'), 'utf8')).toBe('x');
    expect((await lab.backlog.history(id)).events.map(({ state }) => state)).toEqual([
      'queued',
      'running',
      'done',
    ]);
  });

  it('GRD-04 a claim of another runtime is refused, one that was taken over is dropped', async () => {
    await lab.add();
    const claim = await lab.claim();
    const other = lab.runtime(programFlow(''), {}, { AGENT_ID: 'bob' });
    expect(await runTask(other, claim, never)).toBeUndefined();
    lab.rows("update lease set start_time = 'of a process that is gone'");
    const taken = await lab.claim();
    expect(await runTask(lab.runtime(programFlow('')), claim, never)).toBeUndefined();
    expect(lab.events).toMatchObject([
      { type: 'task.step' },
      { type: 'task.skipped', reason: 'it was given to lab' },
      { type: 'task.step' },
      { type: 'task.skipped', reason: 'it is being run already' },
    ]);
    expect((await runTask(lab.runtime(programFlow('')), taken, never))?.state).toBe('done');
  });

  it('GRD-04 a lock without a run gives the task back: quietly at first, after two minutes with that reason', async () => {
    const id = await lab.add();
    const held = await takeLock(lab.locks, id);
    await runTask(lab.runtime(programFlow('')), await lab.claim(), never);
    const last = async () => (await lab.backlog.history(id)).events.at(-1);
    expect(await last()).toMatchObject({
      state: 'queued',
      reason: 'another process on this machine is starting or ending it',
    });
    const old = Date.now() - 3 * 60_000;
    lab.rows(`update task_event set at = ${old}`);
    lab.rows('update task set wake_at = 1');
    await runTask(lab.runtime(programFlow('')), await lab.claim(), never);
    expect(await last()).toMatchObject({
      state: 'queued',
      reason: 'its lock is held, but nobody has run it for two minutes',
    });
    expect(lab.rows('select * from lease')).toEqual([]);
    await held?.release();
  });

  it.each([
    ['success', '', 'done'],
    ['a failing flow', 'process.exit(3)', 'failed'],
  ])('RUN-12 %s: the lease is released and the lock is free again', async (_name, code, state) => {
    const id = await lab.add();
    await runTask(lab.runtime(programFlow(code)), await lab.claim(), never);
    expect((await lab.backlog.get(id))?.state).toBe(state);
    expect(lab.rows('select * from lease')).toEqual([]);
    expect(await takeLock(join(lab.dir, 'locks'), id)).toBeDefined();
  });

  it.each([
    ['breaks off', () => Promise.reject(new Error('npm ci was killed by SIGINT'))],
    ['is finished all the same', () => Promise.resolve(lab.prepared())],
  ])(
    'an interruption while it is prepared, which then %s, gives it back and costs no attempt',
    async (_how, after) => {
      const id = await lab.add();
      const stopping = new AbortController();
      const prepare = () => {
        stopping.abort();
        return after();
      };
      const claim = await lab.claim();
      const release = await runTask(lab.runtime(programFlow(''), { prepare }), claim, stopping.signal);
      expect(release?.state).toBe('queued');
      expect(() => lab.sessions.load(claim.sessionId)).toThrow('There is no session');
      const again = await lab.claim();
      expect([again.task.id, again.attempt, again.sessionId]).toEqual([id, 1, claim.sessionId]);
      expect((await runTask(lab.runtime(programFlow('')), again, never))?.state).toBe('done');
    },
  );

  it('RUN-12 ST-06 a tree that cannot be prepared fails the task with the reason, and releases it', async () => {
    const id = await lab.add();
    const prepare = () => Promise.reject(new Error('the clone failed'));
    await runTask(lab.runtime(programFlow(''), { prepare }), await lab.claim(), never);
    const task = await lab.backlog.get(id);
    expect(task).toMatchObject({ state: 'failed', failureCode: 'error' });
    expect((await lab.backlog.history(id)).events.at(-1)?.reason).toContain('the clone failed');
  });

  it('a task that is stopped is given back, and the next run continues its session', async () => {
    await lab.add();
    const stop = new AbortController();
    const flow = programFlow(
      "require('fs').appendFileSync('runs', 'x'); if (require('fs').readFileSync('runs', 'utf8') === 'x') { setInterval(() => {}, 1000); console.log('ready') }",
    );
    const claim = await lab.claim();
    const tell = (event: (typeof lab.events)[number]) => {
      lab.events.push(event);
      if (event.type === 'task.session' && event.event.type === 'step.output') stop.abort();
    };
    expect((await runTask(lab.runtime(flow, { tell }), claim, stop.signal))?.state).toBe('queued');
    const again = await lab.claim();
    expect([again.sessionId, again.continues]).toEqual([claim.sessionId, true]);
    expect((await runTask(lab.runtime(flow), again, never))?.state).toBe('done');
    expect(readFileSync(join(lab.dir, 'runs'), 'utf8')).toBe('xx');
  });

  it('a session that has ended is not run again: only its outcome is recorded', async () => {
    const id = await lab.add();
    const flow = programFlow("require('fs').appendFileSync('runs', 'x')");
    const claim = await lab.claim();
    // The process died between the last checkpoint and the task row.
    const scheduler = overruled(lab.scheduler, {
      release: () => Promise.reject(new Error('killed')),
      renew: () => Promise.resolve(true),
    });
    await expect(runTask(lab.runtime(flow, { scheduler }), claim, never)).rejects.toThrow('killed');
    expect((await lab.backlog.get(id))?.state).toBe('running');
    lab.rows("update lease set start_time = 'of a process that is gone'");
    const taken = await lab.claim();
    expect(taken).toMatchObject({ sessionId: claim.sessionId, continues: true });
    await runTask(lab.runtime(flow), taken, never);
    expect((await lab.backlog.get(id))?.state).toBe('done');
    expect(readFileSync(join(lab.dir, 'runs'), 'utf8')).toBe('x');
  });

  it('a lease that is lost ends the work, and nothing more is written for the task', async () => {
    const id = await lab.add();
    const claim = await lab.claim(60);
    const flow = programFlow('setInterval(() => {}, 1000)');
    const tell = (event: (typeof lab.events)[number]) => {
      lab.events.push(event);
      if (event.type === 'task.session' && event.event.type === 'step.progressed')
        lab.rows('update lease set epoch = epoch + 1');
    };
    expect(await runTask(lab.runtime(flow, { tell }), claim, never)).toBeUndefined();
    expect(lab.events.at(-2)).toMatchObject({ type: 'task.released', counted: false });
    expect((await lab.backlog.get(id))?.state).toBe('running');
  });

  it('a store that cannot be reached for a whole lease ends the work, and nothing more is written for the task', async () => {
    const id = await lab.add();
    const claim = await lab.claim(60);
    const scheduler = overruled(lab.scheduler, {
      renew: () => Promise.reject(new StorageError('it cannot be reached')),
    });
    const flow = programFlow('setInterval(() => {}, 1000)');
    expect(await runTask(lab.runtime(flow, { scheduler }), claim, never)).toBeUndefined();
    expect(lab.events.at(-2)).toMatchObject({ type: 'task.released', counted: false });
    expect((await lab.backlog.get(id))?.state).toBe('running');
  });

  it('WRK-21 WRK-22 files that a task identifies while it runs belong to its lease, and others wait for them', async () => {
    const flow = {
      nodes: {
        Main: {
          entry_block: 'Plan',
          blocks: {
            Plan: {
              worker: 'Internal:UpdateChangePlan',
              transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'JUMP:Look' }],
            },
            Look: {
              worker: 'Looker',
              transitions: [{ on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' }],
            },
          },
        },
      },
    };
    const id = await lab.add({ mode: 'local-git', allowedPaths: ['src/**'] });
    const seen: unknown[] = [];
    const Looker: WorkerFunction = async (context) => {
      await lab.store.plans.enter('S', ['lib/**']);
      seen.push(await lab.store.plans.admit('S'));
      return { signal: 'SIGNAL:SUCCESS', new_payload: context.execution_payload };
    };
    const files = { id: 'found', type: 'NEW_FILES_IDENTIFIED', content: ['lib/found.ts'] };
    const prepare = async () => ({ ...lab.prepared(), payload: [files] });
    const services = { workers: { Looker }, adapters: new AdapterRegistry() };
    await runTask(lab.runtime(flow, { prepare, services }), await lab.claim(), never);
    expect(seen).toEqual([
      { admitted: false, waitsFor: [{ kind: 'task', id, status: 'running', path: 'lib/found.ts' }] },
    ]);
    await expect(lab.store.plans.admit('S')).resolves.toEqual({ admitted: true });
  });

  it('ST-04 B-18 a spent quota parks the task until the reset, with everybody who needs the same agent', async () => {
    const script = join(lab.dir, 'script.json');
    const { writeFileSync } = await import('node:fs');
    const reset = Date.now() + 3_600_000;
    writeFileSync(script, JSON.stringify({ steps: [{ quota: { resetAt: reset } }] }));
    const flow = {
      workers: { Coder: {} },
      nodes: {
        Main: {
          entry_block: 'Run',
          blocks: {
            Run: {
              worker: 'Coder',
              with: { extraArgs: ['--script', script] },
              transitions: [
                { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' },
                { on_signal: 'SIGNAL:FAIL_DEFAULT', action: 'HALT_AND_FLAG' },
              ],
            },
          },
        },
      },
    };
    const [first, second] = [await lab.add(), await lab.add()];
    const release = await runTask(lab.runtime(flow), await lab.claim(), never);
    expect(release).toMatchObject({ state: 'blocked', block: 'quota_wait', until: reset, agent: 'scripted' });
    expect(await lab.backlog.get(first)).toMatchObject({
      state: 'blocked',
      blockReason: 'quota_wait',
      waitsUntil: reset,
    });
    expect((await lab.backlog.get(second))?.state).toBe('queued');
    await expect(lab.claim()).rejects.toThrow('nothing to claim');
  });

  it('RUN-02 the runtime approves nothing and adds no tasks', async () => {
    await lab.add();
    await work(lab.runtime(programFlow('')), {
      role: 'worker',
      concurrency: 1,
      once: true,
      stop: never,
    });
    expect(await lab.backlog.ids()).toHaveLength(1);
    const sources = [
      'src/tasks/run-task.ts',
      'src/tasks/work.ts',
      'src/tasks/runtime/run-flow.ts',
      'src/tasks/runtime/outcome.ts',
    ];
    for (const file of sources)
      expect(readFileSync(file, 'utf8')).not.toMatch(/\.approve\(|backlog\.add|\.add\(\[/);
  });
});
