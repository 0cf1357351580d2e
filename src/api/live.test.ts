import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TASK_STATUSES } from '../manifest/task.ts';
import type { JsonEvent } from './events.ts';
import { foldEvent, type LiveSession, NOT_STARTED } from './live.ts';

const at = { session: 's', step: 1, block: 'N__B' };
const used = { steps: 1, tokens: 2, usd: 0.5, ms: 3 };
const entry = {
  step: 1,
  block: 'N__B',
  ran: true,
  signal: 'SIGNAL:SUCCESS',
  matched: 'exact',
  action: 'RETURN',
  next: null,
  ms: 3,
  at: 4,
} as const;
const halt = { reason: 'flag', message: 'look', block: 'N__B', resumeAt: 'N__B' } as const;
const words = fc.string({ maxLength: 8 });
const task = fc.constantFrom('a', 'b');

const taskEvent = fc.oneof(
  fc
    .record({ task, status: fc.constantFrom(...TASK_STATUSES) })
    .map((made): JsonEvent => ({ ...at, ...made, type: 'task.status', exit: { code: 1 } })),
  fc.record({ task, clean: words }).map((made): JsonEvent => ({ ...at, ...made, type: 'task.output' })),
  fc
    .record({ task, question: words })
    .map((made): JsonEvent => ({ ...at, ...made, type: 'task.interaction', choices: ['y'], payload: {} })),
  fc
    .record({ task, estimated: fc.boolean() })
    .map((made): JsonEvent => ({ ...at, ...made, type: 'task.usage', usage: { tokens: 1, usd: 0.25 } })),
  fc
    .record({ task, agent: words })
    .map((made): JsonEvent => ({ ...at, ...made, type: 'task.started', name: 'n', mode: 'headless' })),
  fc.record({ task, text: words }).map(
    ({ text, ...made }): JsonEvent => ({
      ...at,
      ...made,
      type: 'task.activity',
      event: { type: 'text', text },
    }),
  ),
);
const sessionEvent = fc.oneof(
  words.map((text): JsonEvent => ({ ...at, type: 'step.output', text })),
  fc.constantFrom<JsonEvent>(
    { session: 's', type: 'session.started', goal: 'g', at: 'N__B' },
    { session: 's', type: 'session.continued', how: 'resume', at: 'N__B' },
    { ...at, type: 'step.started', worker: 'W' },
    { ...at, type: 'usage.added', usage: { tokens: 1 }, total: used },
    { session: 's', type: 'step.finished', entry, added: [], dropped: [], used },
    { session: 's', type: 'session.waiting', waiting: { message: 'm', sessions: ['o'] } },
    { session: 's', type: 'session.halted', halt },
    { session: 's', type: 'session.parked', until: 9, reason: 'r', agent: 'codex' },
    { session: 's', type: 'session.completed', used },
    { session: 's', type: 'session.aborted', reason: 'r' },
    { session: 's', type: 'session.failed', error: { kind: 'internal', message: 'm' } },
  ),
);
const streams = fc.array(fc.oneof(taskEvent, sessionEvent), { maxLength: 60 });

const fold = (state: LiveSession, events: readonly JsonEvent[]): LiveSession =>
  events.reduce((before, event) => foldEvent(before, event, 1), state);

describe('the one fold of the events', () => {
  it('gives the same state wherever the stream is cut and handed to another process', () => {
    fc.assert(
      fc.property(streams, fc.array(fc.nat(60), { maxLength: 5 }), (events, cuts) => {
        const whole = fold(NOT_STARTED, events);
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, events.length)).sort((a, b) => a - b),
          events.length,
        ];
        const pieced = places.reduce((state, place, index) => {
          const piece = events.slice(places[index - 1] ?? 0, place);
          return JSON.parse(JSON.stringify(fold(state, piece))) as LiveSession;
        }, NOT_STARTED);
        expect(pieced).toEqual(whole);
      }),
    );
  });

  it('changes no state that it was given', () => {
    fc.assert(
      fc.property(streams, (events) => {
        let state = NOT_STARTED;
        for (const event of events) {
          const before = JSON.stringify(state);
          const after = foldEvent(state, event, 1);
          expect(JSON.stringify(state)).toBe(before);
          state = after;
        }
      }),
    );
  });

  it('has the same end of an output in whatever pieces it came', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (pieces) => {
        const started = fold(NOT_STARTED, [{ ...at, type: 'step.started', worker: 'W' }]);
        const output = (text: string): JsonEvent => ({ ...at, type: 'step.output', text });
        expect(fold(started, pieces.map(output))).toEqual(fold(started, [output(pieces.join(''))]));
      }),
    );
  });

  it('shows the running step, its tasks with agent, price and question, and where it ended', () => {
    const running = fold(NOT_STARTED, [
      { session: 's', type: 'session.started', goal: 'g', at: 'N__B' },
      { ...at, type: 'step.started', worker: 'W' },
      { ...at, type: 'task.status', task: 'a', status: 'RUNNING', exit: {} },
      { ...at, type: 'task.started', task: 'a', name: 'A', agent: 'codex', mode: 'headless' },
      { ...at, type: 'task.usage', task: 'a', usage: { tokens: 5, usd: 0.1 }, estimated: true },
      { ...at, type: 'task.status', task: 'a', status: 'WAITING_FOR_USER', exit: {} },
      { ...at, type: 'task.interaction', task: 'a', question: 'Which?', choices: ['x'], payload: {} },
    ]);
    expect(running).toMatchObject({
      session: 's',
      status: 'running',
      running: { block: 'N__B', worker: 'W' },
      tasks: [{ id: 'a', agent: 'codex', tokens: 5, usd: 0.1, estimated: true, question: 'Which?' }],
    });
    const ended = fold(running, [
      { ...at, type: 'task.status', task: 'a', status: 'DONE', exit: { code: 0 } },
      { session: 's', type: 'step.finished', entry, added: [], dropped: [], used },
      { session: 's', type: 'session.halted', halt },
    ]);
    expect(ended).toMatchObject({
      status: 'halted',
      reason: 'look',
      running: null,
      finished: 1,
      used,
      last: { signal: 'SIGNAL:SUCCESS' },
      tasks: [{ status: 'DONE', question: null, endedAt: 1 }],
    });
  });
});
