import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isJsonObject } from '../kernel/json.ts';
import type { Worker } from '../manifest/worker.ts';
import { Orchestrator } from './orchestrator.ts';
import { SessionManager } from './state/session-manager.ts';
import { answer, chain, emitting, pathOf, recording } from './testing.ts';

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

  /** An agent that goes on with one conversation, as the history tells it, and says what it was allowed. */
  const talking = (allowed: [string, string][]): Worker => ({
    kind: 'engine',
    run: async (context, run) => {
      run.usage({ tokens: 10, usd: 1 });
      const known = context.execution_payload.findLast(({ type }) => type === 'AGENT_RUN')?.content;
      const id = isJsonObject(known) && isJsonObject(known.conversation) ? known.conversation.id : undefined;
      if (typeof id === 'string')
        allowed.push([context.system_metadata.block_id, run.continues?.(id) ?? '?']);
      const conversation = { id: context.system_metadata.block_id === 'Main__A' ? 'first' : (id ?? 'own') };
      return answer(context, 'SIGNAL:SUCCESS', run.segment('AGENT_RUN', { conversation }));
    },
  });
  const talkers = (allowed: [string, string][]) => {
    const worker = talking(allowed);
    return { A: worker, B: worker, C: worker, D: worker };
  };
  const talked = async () => {
    const manifest = chain('A', 'B', 'C', 'D');
    return (await new Orchestrator(manifest, { workers: talkers([]), sessions }).execute('Main')).sessionId;
  };

  it('a rewound session does not continue a conversation that knows what came later, and what was spent is spent', async () => {
    const id = await talked();
    (await sessions.rewind(id, 2)).release();
    expect(sessions.load(id).state.used).toMatchObject({ usd: 4, tokens: 40, steps: 4 });
    const allowed: [string, string][] = [];
    const end = await Orchestrator.open(id, { workers: talkers(allowed), sessions }).resume();
    expect(allowed[0]).toEqual(['Main__C', 'no']);
    expect(end.used).toMatchObject({ usd: 6, tokens: 60 });
    const whole = await talked();
    (await sessions.rewind(whole, 4)).release();
    expect(sessions.load(whole).state.conversations).toEqual({});
  });

  it('a fork gets a copy of a conversation that ends where it begins, and nothing of one that went on', async () => {
    const id = await talked();
    const [early, late] = [sessions.fork(id, 2), sessions.fork(id, 4)];
    expect(sessions.load(early).state.conversations).toEqual({ first: 'no' });
    expect(sessions.load(late).state).toMatchObject({
      conversations: { first: 'fork' },
      forkedFrom: { session: id, step: 4 },
    });
    expect(sessions.wentOnWith('first', { session: id, step: 4 }, Date.now())).toBe(false);
    expect(sessions.wentOnWith('first', { session: id, step: 3 }, Date.now())).toBe(true);
    expect(sessions.wentOnWith('first', { session: 'gone', step: 4 }, Date.now())).toBe(true);
    expect(sessions.load(sessions.fork(early, 1)).state.conversations).toEqual({ first: 'no' });
    const allowed: [string, string][] = [];
    await Orchestrator.open(early, { workers: talkers(allowed), sessions }).resume();
    expect(allowed[0]).toEqual(['Main__C', 'no']);
  });

  it('a conversation that the other session went on with before the fork was run is not copied either', async () => {
    const manifest = chain('A', 'B', 'C', 'D');
    const source = new Orchestrator(manifest, { workers: talkers([]), sessions });
    const { sessionId: id } = await source.execute('Main', { budget: { steps: 2 } });
    const [fork, other] = [sessions.fork(id, 2), sessions.fork(id, 2)];
    const allowed: [string, string][] = [];
    const more = { budget: { steps: 3 } };
    await Orchestrator.open(fork, { workers: talkers(allowed), sessions }).resume(more);
    await source.resume(more);
    await Orchestrator.open(other, { workers: talkers(allowed), sessions }).resume(more);
    expect(allowed).toEqual([
      ['Main__C', 'fork'],
      ['Main__C', 'no'],
    ]);
  });

  it('a step that does not exist is refused by number', async () => {
    const id = await done();
    await expect(sessions.rewind(id, 9)).rejects.toThrow('no step 9');
    expect(() => sessions.fork(id, 9)).toThrow('no step 9');
    expect(sessions.load(id).state.status).toBe('completed');
  });
});
