import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentStream } from '../../src/agents/adapter.ts';
import type { AgentEvent } from '../../src/agents/event.ts';
import { createMasker } from '../../src/kernel/mask.ts';
import { firstEvent, NodeAgent, PipelineLab } from './lab.ts';

/** Says what it is told to as JSON lines, which are events already. */
class Asking extends NodeAgent {
  openStream(): AgentStream {
    return {
      push: (line) => (line.startsWith('{') ? [JSON.parse(line) as AgentEvent] : []),
      end: () => [{ type: 'result', ok: true, text: '' }],
      conversation: undefined,
      answer: (id, text) => `${id}=${text}\n`,
    };
  }
}

const SAY = 'const say = (event) => console.log(JSON.stringify(event));';
const ask = (id: string, choices: string[], words?: string[]) =>
  `say(${JSON.stringify({ type: 'asked', id, question: `${id}?`, choices, words })});`;

describe('the questions of a task', () => {
  let lab: PipelineLab;
  beforeEach(() => {
    lab = new PipelineLab();
    lab.adapters.register('asking', Asking);
  });
  afterEach(() => lab.remove());

  const start = (code: string, { services = {}, ...more }: { services?: object; prompt?: string } = {}) => {
    const extraArgs = ['-e', SAY + code];
    const task = { id: 't', adapter: 'asking', executionMode: 'headless', prompt: 'x', extraArgs, ...more };
    const orchestrator = lab.orchestrator({ stages: [{ tasks: [task] }] }, services);
    const asked = (question: string) =>
      firstEvent(orchestrator, 'task.interaction', (event) => event.question === question);
    return { orchestrator, asked };
  };

  it('two at once are put one after the other, each answered by its own choices', async () => {
    const both = `${ask('a', ['red', 'green'])}${ask('b', ['one', 'two'])}`;
    const read = `let all = ''; process.stdin.on('data', (d) => { all += d; if (all.split('\\n').length > 2) { console.log('heard ' + all.split('\\n').join(' ')); process.exit(0); } });`;
    const { orchestrator, asked } = start(both + read);
    const [a, b] = [asked('a?'), asked('b?')];
    const ended = orchestrator.execute('Pipeline');
    await a;
    expect(() => orchestrator.answer('t', 'two')).toThrow(/not one of the choices/);
    orchestrator.answer('t', 'green');
    await b;
    orchestrator.answer('t', '2');
    expect((await ended).status).toBe('completed');
    expect(lab.output('t')).toContain('heard a=green b=two');
    const waited = ['WAITING_FOR_USER', 'RUNNING'];
    expect(lab.statuses('t')).toEqual(['PENDING', 'RUNNING', ...waited, ...waited, 'DONE']);
  });

  it('a word that the channel knows is an answer, and goes to it as it was said', async () => {
    const read = `process.stdin.once('data', (d) => { console.log('heard ' + d); process.exit(0); });`;
    const { orchestrator, asked } = start(ask('a', ['Allow once', 'Deny'], ['y', 'yes', 'no']) + read);
    const a = asked('a?');
    const ended = orchestrator.execute('Pipeline');
    await a;
    expect(() => orchestrator.answer('t', 'perhaps')).toThrow(/not one of the choices/);
    orchestrator.answer('t', 'Yes');
    await ended;
    expect(lab.output('t')).toContain('heard a=Yes');
  });

  it('SES-03 a secret in a prompt or an answer is in no history', async () => {
    const secret = 'sk-planted-1234567890';
    const { orchestrator, asked } = start(
      `${ask('a', [])}process.stdin.once('data', () => process.exit(0));`,
      {
        prompt: `use ${secret}`,
        services: { masker: createMasker([secret]) },
      },
    );
    const a = asked('a?');
    const ended = orchestrator.execute('Pipeline');
    await a;
    orchestrator.answer('t', secret);
    await ended;
    const { history } = lab.sessions.load(orchestrator.sessionId ?? '').session;
    expect(history.map(({ text }) => text)).toEqual(['Pipeline', 'use ***', '***']);
  });

  it('one that is withdrawn leaves the task at work, and an answer that was refused is not in the history', async () => {
    const withdraw = `process.stdin.once('data', () => { say({ type: 'withdrawn', id: 'a' }); setTimeout(() => process.exit(0), 50); });`;
    const { orchestrator, asked } = start(ask('a', ['yes', 'no']) + withdraw);
    const a = asked('a?');
    const ended = orchestrator.execute('Pipeline');
    await a;
    expect(() => orchestrator.answer('t', 'perhaps')).toThrow(/not one of the choices/);
    // Typed past the question: it stands until it is answered or withdrawn.
    orchestrator.send('t', 'go\n');
    await ended;
    expect(lab.statuses('t')).toEqual(['PENDING', 'RUNNING', 'WAITING_FOR_USER', 'RUNNING', 'DONE']);
    const inputs = lab.sessions
      .load(orchestrator.sessionId ?? '')
      .session.history.filter(({ kind }) => kind === 'input');
    expect(inputs.map(({ text }) => text)).toEqual(['go']);
  });
});
