import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JsonEvent } from '../../api/events.ts';
import { askQuestion } from '../ask.ts';
import { QuestionDesk } from './desk.ts';

vi.mock('../ask.ts', () => ({ askQuestion: vi.fn() }));

type Asking = { question: string; stop: AbortSignal; answer: (text: string | undefined) => void };

describe('the desk', () => {
  const asking: Asking[] = [];
  const sent: string[] = [];
  let desk: QuestionDesk;
  beforeEach(() => {
    vi.mocked(askQuestion).mockImplementation((_screen, { question }, stop) => {
      return new Promise((answer) => {
        asking.push({ question, stop, answer });
        stop.addEventListener('abort', () => answer(undefined));
      });
    });
    const display = { pause: () => undefined, resume: () => undefined };
    const send = (task: string, text: string) => sent.push(`${task}: ${text}`);
    desk = new QuestionDesk({} as never, display as never, { send, stop: new AbortController().signal });
  });
  afterEach(() => {
    asking.length = 0;
    sent.length = 0;
  });

  const at = { session: 's', step: 1, block: 'b' };
  const asks = (task: string, question: string) =>
    desk.event({ ...at, type: 'task.interaction', task, question, choices: [], payload: {} });
  const status = (task: string, now: string) =>
    desk.event({ ...at, type: 'task.status', task, status: now, exit: {} } as JsonEvent);
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('takes a question back that was answered elsewhere, and its answer reaches no other', async () => {
    status('t', 'WAITING_FOR_USER');
    asks('t', 'first?');
    expect(asking.map(({ question }) => question)).toEqual(['t: first?']);
    status('t', 'RUNNING');
    expect(asking[0]?.stop.aborted).toBe(true);
    status('t', 'WAITING_FOR_USER');
    asks('t', 'second?');
    await settled();
    expect(asking.map(({ question }) => question)).toEqual(['t: first?', 't: second?']);
    asking[1]?.answer('yes');
    await settled();
    expect(sent).toEqual(['t: yes']);
  });

  it('takes a question back that another one replaced', async () => {
    asks('t', 'first?');
    asks('t', 'second?');
    await settled();
    expect(asking[0]?.stop.aborted).toBe(true);
    expect(asking.at(-1)?.question).toBe('t: second?');
  });

  it('asks one after the other, and not again what was left for later', async () => {
    asks('a', 'one?');
    asks('b', 'two?');
    asking[0]?.answer(undefined);
    await settled();
    asking[1]?.answer('x');
    await settled();
    expect(asking).toHaveLength(2);
    expect(sent).toEqual(['b: x']);
  });
});
