import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { block } from '../../orchestrator/testing.ts';
import { gitProject } from '../../server/fixture/testing.ts';
import { tempProject } from '../../server/testing.ts';
import type { Project } from '../project.ts';

const SCRIPT = {
  turns: [
    {
      when: '',
      steps: [
        { usage: { input: 90, output: 10, usd: 0.02 } },
        { write: { path: 'b.txt', content: 'b\n' } },
        { say: 'it is fixed' },
      ],
    },
  ],
};

/** A workflow whose first block is an agent: a real process that plays a script. */
async function played(dir: string): Promise<{ readonly id: string; readonly project: Project }> {
  // Committed with the rest, so that the agent finds it in its worktree.
  writeFileSync(join(dir, 'script.json'), JSON.stringify(SCRIPT));
  const project = await gitProject(dir);
  const workflow = {
    nodes: {
      N: {
        entry_block: 'A',
        blocks: {
          A: block('Coder', { SUCCESS: 'JUMP:B' }, { instructions: 'fix it' }),
          B: block('Idle'),
        },
      },
    },
    workers: { Coder: { agent: 'scripted', extraArgs: ['--script', 'script.json'] } },
  };
  const workers = { Idle: () => ({ signal: 'SIGNAL:SUCCESS', new_payload: [] }) };
  const run = await project.run('fix the login', { workflow, workers, noBaseline: true, attended: false });
  await run.ended;
  return { id: run.id, project };
}

describe('what agents were asked, and what that cost', () => {
  it('every run is a call, with what went in and what came out', async () => {
    const { id, project } = await played(tempProject());
    const calls = await project.callsOf(id);
    expect(calls).toEqual([
      expect.objectContaining({
        step: 1,
        block: 'N__A',
        worker: 'Coder',
        agent: 'scripted',
        ok: true,
        code: 0,
        usd: 0.02,
      }),
    ]);
    const [{ call, log }] = calls as [(typeof calls)[number]];
    expect(log).toMatch(/^0001-.*--scripted/);
    const detail = await project.callDetail(id, call);
    expect(detail.prompts[0]?.text).toContain('fix it');
    expect(detail.answer).toContain('it is fixed');
    await expect(project.callDetail(id, '9.9')).rejects.toThrow('has no call 9.9');
  });

  it('costs are the sum of the journals, by whatever one asks for', async () => {
    const { id, project } = await played(tempProject());
    const { used } = await project.session(id);
    const total = { usd: used.usd, tokens: used.tokens, steps: 2 };
    expect(used.usd).toBe(0.02);
    const byAgent = await project.costs({ by: 'agent' });
    expect(byAgent).toMatchObject({ by: 'agent', total, unread: [] });
    expect(byAgent.rows.map(({ key, usd, steps }) => [key, usd, steps])).toEqual([
      ['scripted', 0.02, 1],
      ['', 0, 1],
    ]);
    expect((await project.costs({ by: 'session' })).rows).toEqual([
      expect.objectContaining({ key: id, ...total }),
    ]);
    expect((await project.costs({ by: 'day' })).rows).toHaveLength(1);
    expect((await project.costs({ to: 1 })).total).toEqual({ usd: 0, tokens: 0, steps: 0 });
  });
});
