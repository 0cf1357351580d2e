import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Orchestrator } from './orchestrator.ts';
import { SessionManager } from './state/session-manager.ts';
import { chain, emitting, pathOf, recording } from './testing.ts';

describe.each(['disk', 'memory'])('going back, sessions on %s', (where) => {
  let root: string;
  let sessions: SessionManager;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lw-rewind-'));
    sessions = where === 'disk' ? SessionManager.onDisk(root) : SessionManager.inMemory();
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const workers = () => ({
    A: emitting('SUCCESS'),
    B: emitting('SUCCESS'),
    C: emitting('SUCCESS'),
    D: emitting('SUCCESS'),
  });
  const done = async () =>
    (await new Orchestrator(chain('A', 'B', 'C', 'D'), { workers: workers(), sessions }).execute('Main'))
      .sessionId;

  it('rewind forgets what came after the step, and resume continues from there', async () => {
    const id = await done();
    (await sessions.rewind(id, 2)).release();
    const { state } = sessions.load(id);
    expect(state).toMatchObject({
      status: 'halted',
      at: 'Main__C',
      step: 2,
      halt: { reason: 'rewound', block: 'Main__B' },
    });
    const { worker, contexts } = recording();
    const orchestrator = Orchestrator.open(id, { workers: { ...workers(), C: worker }, sessions });
    const end = await orchestrator.resume('this time carefully');
    expect(pathOf(end.trail)).toEqual(['Main__A', 'Main__B', 'Main__C', 'Main__D']);
    expect(contexts[0]?.execution_payload.map((segment) => segment.type)).toEqual([
      'NOTE',
      'NOTE',
      'HUMAN_GUIDANCE',
    ]);
    (await sessions.rewind(id, 4)).release();
    expect(sessions.load(id).state).toMatchObject({ step: 4, status: 'halted', at: null });
    (await sessions.rewind(id, 1)).release();
    (await sessions.rewind(id, 0)).release();
    expect(sessions.load(id).state).toMatchObject({ step: 0, at: 'Main__A', status: 'halted' });
  });

  it('fork leaves the old session alone and has a life of its own', async () => {
    const id = await done();
    const fork = sessions.fork(id, 3);
    expect(sessions.load(fork).state).toMatchObject({ id: fork, step: 3, at: 'Main__D', status: 'running' });
    const end = await Orchestrator.open(fork, { workers: workers(), sessions }).resume();
    expect(end).toMatchObject({ sessionId: fork, status: 'completed', used: { steps: 4 } });
    expect(sessions.load(id).state).toMatchObject({ id, status: 'completed', step: 4 });
  });

  it('a step that does not exist is refused by number', async () => {
    const id = await done();
    await expect(sessions.rewind(id, 9)).rejects.toThrow('no step 9');
    expect(() => sessions.fork(id, 9)).toThrow('no step 9');
    expect(sessions.load(id).state.status).toBe('completed');
  });
});
