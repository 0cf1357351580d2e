import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import { OwnerConnection } from '../../src/orchestrator/control/client.ts';
import { runTask } from '../../src/tasks/run-task.ts';
import { programFlow, RuntimeLab } from './lab.ts';

describe('the session of a task', () => {
  let lab: RuntimeLab;
  beforeEach(() => {
    lab = new RuntimeLab();
  });
  afterEach(() => lab.close());

  it('is reached, watched and interrupted like any other, and the task continues it later', async () => {
    const id = await lab.add();
    const runtime = lab.runtime(programFlow('setInterval(Date, 1000)'), {
      services: { workers: {}, adapters: new AdapterRegistry(), control: true },
    });
    const reachable = new Promise<void>((resolve) => {
      const { tell } = runtime;
      Object.assign(runtime, {
        tell: (event: Parameters<typeof tell>[0]) => {
          tell(event);
          if (event.type === 'task.session' && event.event.type === 'session.reachable') resolve();
        },
      });
    });
    const claim = await lab.claim();
    const released = runTask(runtime, claim, new AbortController().signal);
    await reachable;
    const file = join(lab.dir, '.loopwright/sessions', claim.sessionId, 'session.json');
    const { socket } = JSON.parse(readFileSync(file, 'utf8')) as { socket: string };
    const address = { path: socket, key: readFileSync(join(dirname(file), 'control.key'), 'utf8') };
    const owner = await OwnerConnection.open(address);
    const types: string[] = [];
    owner.onReply((reply) => {
      if ('event' in reply) types.push(reply.event.type);
    });
    expect((await owner.ask({ do: 'watch' })).at).toMatchObject({ epoch: 1 });
    await (await OwnerConnection.open(address)).ask({ do: 'interrupt', reason: 'not now' });
    await owner.closed;
    expect(types.at(-1)).toBe('session.halted');
    expect((await released)?.state).toBe('queued');
    const { state } = lab.sessions.load(claim.sessionId);
    expect(state).toMatchObject({ task: { id, run: claim.runId }, halt: { message: 'not now' } });
  });
});
