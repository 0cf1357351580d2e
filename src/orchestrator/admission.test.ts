import { describe, expect, it } from 'vitest';
import type { AdmissionPort } from './engine/admission-port.ts';
import { Orchestrator } from './orchestrator.ts';
import { block, chain, emitting, pathOf } from './testing.ts';

/** Lets a session wait until the test says otherwise. */
function gatekeeper() {
  const left: string[] = [];
  let open = (_admitted: boolean) => {};
  const turn: AdmissionPort['turn'] = (_session, { cancel, onWait }) =>
    new Promise((resolve) => {
      open = resolve;
      cancel.addEventListener('abort', () => resolve(false));
      onWait({ message: 'a.ts is planned by session other', sessions: ['other'] });
    });
  const leave = (session: string) => Promise.resolve(void left.push(session));
  return { admission: { turn, leave }, left, open: (admitted: boolean) => open(admitted) };
}

describe('waiting for a turn', () => {
  const workers = { A: emitting('SUCCESS') };

  it('is a status with a reason; then the session runs and leaves', async () => {
    const { admission, left, open } = gatekeeper();
    const orchestrator = new Orchestrator(chain('A'), { workers, admission });
    const seen: unknown[] = [];
    orchestrator.events.subscribe((event) => {
      seen.push(event.type);
      if (event.type === 'session.waiting') queueMicrotask(() => open(true));
    });
    const end = await orchestrator.execute('Main');
    expect(end.status).toBe('completed');
    expect(seen).toEqual([
      'session.started',
      'session.waiting',
      'step.started',
      'step.finished',
      'session.completed',
    ]);
    expect(left).toEqual([end.sessionId]);
  });

  it('giving up leaves the session waiting, and resume tries again', async () => {
    const { admission, left, open } = gatekeeper();
    const orchestrator = new Orchestrator(chain('A'), { workers, admission });
    orchestrator.events.subscribe((event) => {
      if (event.type === 'session.waiting') queueMicrotask(() => open(left.length > 0));
    });
    await expect(orchestrator.execute('Main')).resolves.toMatchObject({ status: 'waiting', trail: [] });
    left.push('somebody');
    await expect(orchestrator.resume()).resolves.toMatchObject({ status: 'completed' });
  });

  it('an interrupt while waiting halts before the first block', async () => {
    const { admission } = gatekeeper();
    const orchestrator: Orchestrator = new Orchestrator(chain('A'), { workers, admission });
    orchestrator.events.subscribe((event) => {
      if (event.type === 'session.waiting') queueMicrotask(() => orchestrator.interrupt());
    });
    await expect(orchestrator.execute('Main')).resolves.toMatchObject({
      halt: { reason: 'interrupted' },
      trail: [],
    });
  });

  it('a session that is aborted no longer stands in anybody’s way', async () => {
    const left: string[] = [];
    const admission: AdmissionPort = {
      turn: () => Promise.resolve(true),
      leave: (id) => Promise.resolve(void left.push(id)),
    };
    const halting = { N: { entry_block: 'A', blocks: { A: block('A', { SUCCESS: 'HALT_AND_FLAG' }) } } };
    const orchestrator = new Orchestrator(halting, { workers, admission });
    const halted = await orchestrator.execute('N');
    expect(pathOf(halted.trail)).toEqual(['N__A']);
    expect(left).toEqual([]);
    await orchestrator.abort();
    expect(left).toEqual([halted.sessionId]);
  });
});
