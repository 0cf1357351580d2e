import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentStream } from '../../src/agents/adapter.ts';
import type { AgentEvent } from '../../src/agents/event.ts';
import { eventShape, eventShapes } from '../../src/api/events.ts';
import { action } from '../../src/kernel/action.ts';
import { ConflictError } from '../../src/kernel/errors.ts';
import { type JsonEvent, jsonEvent } from '../../src/orchestrator/control/json-event.ts';
import { firstEvent, NodeAgent, PipelineLab, stage } from './lab.ts';

class Speaking extends NodeAgent {
  openStream(): AgentStream {
    return {
      push: (line) => (line.startsWith('{') ? [JSON.parse(line) as AgentEvent] : []),
      end: () => [{ type: 'result', ok: true, text: '' }],
      conversation: { id: 'c1' },
      answer: (id, text) => `${id}=${text}\n`,
    };
  }
}

const say = (event: object): string => `console.log(JSON.stringify(${JSON.stringify(event)}));`;
const ok = { on_signal: 'SIGNAL:SUCCESS', action: 'RETURN' };

describe('the events of a session as JSON', () => {
  let lab: PipelineLab;
  beforeEach(() => {
    lab = new PipelineLab();
    lab.adapters.register('speaking', Speaking);
  });
  afterEach(() => lab.remove());

  /** Through the wire and back. */
  const sent = (): JsonEvent[] =>
    lab.events.map((event) => JSON.parse(JSON.stringify(jsonEvent(event))) as JsonEvent);
  const one = (worker: object, limits: object = {}) => ({
    Main: { entry_block: 'A', blocks: { A: { transitions: [ok], ...worker, ...limits } } },
  });

  it('are what the contract says, every type of them, and lose nothing on the way', async () => {
    const agent = (code: string) => ({
      id: 't',
      adapter: 'speaking',
      executionMode: 'headless',
      prompt: 'x',
      extraArgs: ['-e', code],
    });
    const usage = { type: 'usage', tokens: { input: 3, cached: 1, output: 2 }, estimated: false };
    const asks = `${say({ type: 'text', text: 'hello' })}${say(usage)}${say({ type: 'asked', id: 'q', question: 'Which?', choices: ['a'] })}process.stdin.once('data', () => process.exit(0));`;
    const asking = lab.orchestrator(
      { stages: [{ tasks: [agent(asks)] }, stage({ late: 'console.log(1)' })] },
      { control: true },
    );
    const asked = firstEvent(asking, 'task.interaction');
    const ended = asking.execute('Pipeline', { goal: 'ask' });
    asking.answer((await asked).task, 'a');
    expect((await ended).status).toBe('completed');

    const quota = say({ type: 'error', kind: 'quota', message: 'spent', resetAt: 4e12 });
    await lab
      .orchestrator({ stages: [{ tasks: [agent(`${quota}process.exitCode = 1`)] }] })
      .execute('Pipeline');
    const waits = {
      turn: async (_id: string, { onWait }: { onWait: (waiting: object) => void }) => {
        onWait({ message: 'a.ts is planned by another', sessions: ['other'] });
        return true;
      },
      leave: async () => undefined,
    };
    await lab
      .orchestrator(one({ worker: 'Internal:AskHuman', with: { question: 'Which?' } }), {
        admission: waits as never,
      })
      .execute('Main');
    const stopped = lab.orchestrator(one({ worker: 'Internal:AskHuman', with: { question: 'Which?' } }));
    await stopped.execute('Main');
    await stopped.resume({ answer: 'this' });
    const aborted = lab.orchestrator(one({ worker: 'Internal:AskHuman', with: { question: 'Which?' } }));
    await aborted.execute('Main');
    await aborted.abort('enough');
    await lab
      .orchestrator(one({ worker: 'Mine' }, { limits: { visits: 0 } }), {
        workers: { Mine: () => Promise.reject(new Error('never')) },
      })
      .execute('Main');
    await lab
      .orchestrator(one({ worker: 'Mine' }), {
        workers: {
          Mine: async ({ execution_payload: new_payload }, run) => {
            run.usage({ tokens: 9 });
            return { signal: 'SIGNAL:SUCCESS', new_payload };
          },
        },
        spend: {
          used: async (_run, _usage, near) => {
            near('9 of 10 tokens of today are spent');
            return undefined;
          },
          reached: () => undefined,
        },
      })
      .execute('Main');
    const broken = lab.orchestrator(one({ worker: 'Mine' }), {
      workers: {
        Mine: () => Promise.reject(new ConflictError('no way', { next: action('session.list', 'Look') })),
      },
    });
    await expect(broken.execute('Main')).rejects.toThrow('no way');

    const events = sent();
    for (const event of events) expect(eventShape.safeParse(event).error).toBeUndefined();
    expect(events).toEqual(lab.events.map(jsonEvent));
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(Object.keys(eventShapes)));
    expect(events.findLast(({ type }) => type === 'session.failed')).toMatchObject({
      error: { kind: 'conflict', message: 'no way', next: { id: 'session.list', label: 'Look' } },
    });
    expect(events.find(({ type }) => type === 'session.parked')).toMatchObject({ agent: 'speaking' });
    expect(JSON.stringify(events)).not.toContain('system_metadata');
  });

  it('that are not in the contract are refused', () => {
    const event = { session: 's', type: 'session.aborted', reason: 'r' };
    expect(eventShape.safeParse(event).success).toBe(true);
    expect(eventShape.safeParse({ ...event, more: 1 }).success).toBe(false);
    expect(eventShape.safeParse({ session: 's', type: 'session.aborted' }).success).toBe(false);
    expect(eventShape.safeParse({ ...event, type: 'session.unheard-of' }).success).toBe(false);
  });
});
