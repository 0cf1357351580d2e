import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import type { WorkerFunction } from '../../src/manifest/worker.ts';
import { takeLock } from '../../src/tasks/lock/lock.ts';
import type { PreparedTree } from '../../src/tasks/prepare/prepared.ts';
import type { TaskRuntimeEvent } from '../../src/tasks/run-task.ts';
import { work } from '../../src/tasks/work.ts';
import { overruled, programFlow, RuntimeLab } from './lab.ts';
import { CHANGED, shippedFlow } from './settings-lab.ts';

const never = new AbortController().signal;

describe('the steps of a run', () => {
  let lab: RuntimeLab;
  beforeEach(() => {
    lab = new RuntimeLab();
    writeFileSync(join(lab.dir, 'ok.js'), '');
  });
  afterEach(() => lab.close());

  /** What holds at this moment: whether somebody else could take the lock or the task. */
  async function held(id: string): Promise<string> {
    const lock = await takeLock(lab.locks, id);
    await lock?.release();
    const leases = lab.rows('select * from lease');
    const state = (await lab.backlog.get(id))?.state;
    return [lock ? 'free' : 'locked', `leases ${leases.length}`, state].join(', ');
  }

  it('RUN-04 lock, checkout, model, expected files, verification, delivery, record, release: in this order, under lock and lease', async () => {
    const trace: string[] = [];
    const id = await lab.add({ commands: ['node ok.js'], expectedFiles: ['ok.js'] });
    const model: WorkerFunction = async (context) => {
      trace.push(`model (${await held(id)})`);
      return { signal: 'SIGNAL:SUCCESS', new_payload: context.execution_payload };
    };
    const prepare = async (): Promise<PreparedTree> => {
      trace.push(`checkout (${await held(id)})`);
      return {
        ...lab.prepared(CHANGED),
        deliver: async () => {
          trace.push(`deliver (${await held(id)})`);
          return { artifacts: [], review: false, summary: '' };
        },
      };
    };
    const tell = (event: TaskRuntimeEvent) => {
      if (event.type === 'task.session' && event.event.type === 'step.finished')
        trace.push(event.event.entry.block.split('__')[1] ?? '');
      if (event.type === 'task.released') trace.push(`recorded as ${event.release.state}`);
    };
    const services = {
      workers: { Coder: model, PolicyJudge: model, CheckPlanner: model },
      adapters: new AdapterRegistry(),
    };
    const env = { WORKER_AUTO_VERIFY_MODE: 'off' };
    const runtime = lab.runtime(shippedFlow('code-task'), { services, prepare, tell }, env);
    await work(runtime, { role: 'worker', concurrency: 1, once: true, stop: never });
    trace.push(`idle (${await held(id)})`);
    const during = 'locked, leases 1, running';
    expect(trace).toEqual([
      `checkout (${during})`,
      'CheckCommands',
      `model (${during})`,
      'Implement',
      'CheckExpectedFiles',
      'Verify',
      'InspectTests',
      `deliver (${during})`,
      'Deliver',
      'recorded as done',
      'idle (free, leases 0, done)',
    ]);
  });

  it.each([
    ['success', programFlow(''), undefined, 'done'],
    ['a flow that fails', programFlow('process.exit(3)'), undefined, 'failed'],
    ['a flow that is no flow', { nodes: {} }, undefined, 'failed'],
    ['a tree that cannot be prepared', programFlow(''), 'the clone failed', 'failed'],
  ])(
    'RUN-12 %s: the lease is released, the lock is free, and the runtime takes the next task',
    async (_, flow, broken, state) => {
      const [first, second] = [await lab.add(), await lab.add({ title: 'the next' })];
      const stop = new AbortController();
      const idled: (string | undefined)[] = [];
      const scheduler = overruled(lab.scheduler, {
        changed: async () => {
          idled.push(await held(first), await held(second));
          stop.abort();
        },
      });
      const runtime = lab.runtime(flow, {
        scheduler,
        flow: (task) => (task.id === first ? flow : programFlow('')),
        prepare: ({ task }) =>
          broken !== undefined && task.id === first
            ? Promise.reject(new Error(broken))
            : Promise.resolve(lab.prepared()),
        // A failed task would be tried again at once here.
        settings: { ...lab.runtime(flow).settings, coolDownMs: 3_600_000 },
      });
      await work(runtime, {
        role: 'worker',
        concurrency: 1,
        once: false,
        stop: stop.signal,
      });
      expect(idled).toEqual([`free, leases 0, ${state}`, 'free, leases 0, done']);
    },
  );
});
