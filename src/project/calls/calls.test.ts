import { describe, expect, it } from 'vitest';
import { asFact } from '../../manifest/segment.ts';
import type { WorkerFunction } from '../../manifest/worker.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { answer, block } from '../../orchestrator/testing.ts';
import { tempProject } from '../../server/testing.ts';
import { findPlace } from '../place.ts';
import { openProject } from '../project.ts';

const RUN = {
  worker: 'Coder',
  agent: 'claude',
  ok: true,
  tokens: { input: 90, output: 10 },
  usd: 0.02,
  estimated: true,
  ms: 12,
  code: 0,
  files: ['a.ts'],
};

/** An agent that is told something, uses something and says something. */
const agent: WorkerFunction = (context, run) => {
  run.progress({ type: 'said', task: 'A', said: 'prompt', text: 'fix it', at: 7 });
  run.usage({ tokens: 100, usd: 0.02 });
  return answer(
    context,
    'SIGNAL:SUCCESS',
    run.segment('AGENT_RUN', RUN, asFact({})),
    run.segment('CODE', 'it is fixed'),
  );
};

async function project(dir: string) {
  const sessions = SessionManager.onDisk(findPlace(dir).sessions);
  const manifest = {
    N: { entry_block: 'A', blocks: { A: block('A', { SUCCESS: 'JUMP:B' }), B: block('B') } },
  };
  const idle: WorkerFunction = (context) => answer(context, 'SIGNAL:SUCCESS');
  const engine = new Orchestrator(manifest, { workers: { A: agent, B: idle }, sessions });
  const { sessionId } = await engine.execute('N', { goal: 'g' });
  return { id: sessionId, project: openProject(dir) };
}

describe('what agents were asked, and what that cost', () => {
  it('every run is a call, with what went in and what came out', async () => {
    const { id, project: opened } = await project(tempProject());
    const [call, ...more] = await opened.callsOf(id);
    expect(more).toEqual([]);
    expect(call).toMatchObject({
      step: 1,
      block: 'N__A',
      agent: 'claude',
      ok: true,
      tokens: 100,
      usd: 0.02,
      estimated: true,
      files: ['a.ts'],
    });
    expect(await opened.callDetail(id, call?.call ?? '')).toMatchObject({
      prompts: [{ task: 'A', text: 'fix it', at: 7 }],
      answer: 'it is fixed',
    });
    await expect(opened.callDetail(id, '9.9')).rejects.toThrow('has no call 9.9');
  });

  it('costs are the sum of the journals, by whatever one asks for', async () => {
    const dir = tempProject();
    const { id, project: opened } = await project(dir);
    await project(dir);
    const total = { usd: 0.04, tokens: 200, steps: 4 };
    expect(await opened.costs({ by: 'agent' })).toEqual({
      by: 'agent',
      total,
      rows: [
        { key: 'claude', usd: 0.04, tokens: 200, steps: 2, estimated: true },
        { key: '', usd: 0, tokens: 0, steps: 2, estimated: false },
      ],
      unread: [],
    });
    const bySession = await opened.costs({ by: 'session' });
    expect(bySession.rows.find(({ key }) => key === id)).toMatchObject({ usd: 0.02, steps: 2 });
    expect((await opened.costs({ by: 'day' })).rows).toHaveLength(1);
    expect((await opened.costs({ to: 1 })).total).toEqual({ usd: 0, tokens: 0, steps: 0 });
  });
});
