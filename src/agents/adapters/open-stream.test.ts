import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunnerEnd } from '../runner/runner.ts';
import { openStream, streamNames } from './open-stream.ts';

const TYPES = [
  'system',
  'assistant',
  'user',
  'result',
  'control_request',
  'rate_limit_event',
  'thread.started',
  'item.completed',
  'turn.completed',
  'turn.failed',
  'error',
  'init',
  'message',
  'tool_use',
  'tool_result',
  'step_finish',
  'text',
  'usage',
  'denied',
  'asked',
  'session',
];

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('success', 'error', 'init', 'tool-calls'),
);
const message = fc.record(
  {
    type: fc.constantFrom(...TYPES),
    subtype: odd,
    status: odd,
    message: odd,
    part: odd,
    item: odd,
    usage: odd,
    error: odd,
    request: odd,
    stats: odd,
    permission_denials: odd,
    is_error: odd,
    result: odd,
    content: odd,
    role: odd,
    delta: odd,
  },
  { requiredKeys: ['type'] },
);
/** Answers to our calls, requests and notifications of JSON-RPC, in any order. */
const rpc = fc.record(
  {
    id: fc.oneof(fc.integer({ min: 0, max: 4 }), odd),
    method: fc.constantFrom(
      'session/update',
      'session/request_permission',
      'item/started',
      'item/completed',
      'item/commandExecution/requestApproval',
      'mcpServer/elicitation/request',
      'turn/completed',
      'error',
      'what',
    ),
    params: fc.oneof(
      odd,
      fc.record({ update: odd, item: odd, toolCall: odd, options: odd, turn: odd, threadId: odd }),
    ),
    result: fc.oneof(odd, fc.record({ sessionId: odd, thread: odd, stopReason: odd, usage: odd })),
    error: odd,
  },
  { requiredKeys: [] },
);
const line = fc.oneof(
  fc.string(),
  rpc.map((each) => JSON.stringify(each)),
  message.map((each) => JSON.stringify(each)),
  message.map((each) => JSON.stringify(each).slice(0, -3)),
);
const end = fc.constantFrom<RunnerEnd>(
  { kind: 'exited', code: 0, durationMs: 1 },
  { kind: 'exited', code: 1, durationMs: 1 },
  { kind: 'killed', signal: 'SIGKILL', durationMs: 1 },
  { kind: 'timed-out', limit: 'silence', afterMs: 5, durationMs: 5 },
  { kind: 'stopped', durationMs: 1 },
);

describe.each(streamNames())('%s', (name) => {
  it('never throws and ends every run with a result, whatever the CLI prints', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(line, fc.boolean())), end, (lines, how) => {
        const stream = openStream(name, {});
        for (const [text, err] of lines) {
          stream?.push(text, err ? 'stderr' : 'stdout');
          for (const sent of (stream?.outgoing?.() ?? '').split('\n').filter(Boolean)) JSON.parse(sent);
        }
        const last = stream?.end(how).at(-1);
        if (last !== undefined) expect(last).toMatchObject({ type: 'result' });
      }),
    );
  });

  it.each([
    [{ kind: 'exited', code: 1, durationMs: 1 }, 1],
    [{ kind: 'killed', signal: 'SIGKILL', durationMs: 1 }, 1],
    [{ kind: 'stopped', durationMs: 1 }, 0],
  ] satisfies [RunnerEnd, number][])('without a word it has crashed: %j', (how, errors) => {
    const events = openStream(name, {})?.end(how) ?? [];
    expect(events.filter(({ type }) => type === 'error')).toHaveLength(errors);
    expect(events.at(-1)).toEqual({ type: 'result', ok: false, text: '' });
  });
});

it('an unknown stream is none', () => {
  expect(openStream('nope', {})).toBeUndefined();
});
