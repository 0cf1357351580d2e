import { describe, expect, it } from 'vitest';
import type { AgentConversation } from '../../adapter.ts';
import { eventsOf, readTranscript, replay, usedTokens, usedUsd } from '../stream/testing.ts';
import { OpencodeStream } from './stream.ts';

const NOW = Date.parse('2026-11-15T19:05:54Z');
const clock = { now: () => NOW, elapsed: () => 0 };

function run(name: string) {
  const stream = new OpencodeStream({ clock });
  return { stream, events: replay(stream, readTranscript('opencode', name)) };
}

describe('an opencode run that works (ADP-01)', () => {
  it('tells session, text, tool, file and the sum of its steps; the end is its result', () => {
    const { events, stream } = run('headless.jsonl');
    expect(events.filter(({ type }) => type !== 'usage').map(({ type }) => type)).toEqual([
      'session',
      'text',
      'tool',
      'tool.ended',
      'file',
      'text',
      'result',
    ]);
    expect(events.at(-1)).toEqual({ type: 'result', ok: true, text: 'DONE: wrote a.txt' });
    expect(usedTokens(events)).toEqual({ input: 2400, cached: 400, output: 68 });
    expect(usedUsd(events)).toBeCloseTo(0.00702, 9);
    expect(stream.conversation?.id).toBe('ses_e1f6af5a9ffe5P8lQ074oo4ao6');
    expect(usedUsd(run('resume.jsonl').events)).toBeCloseTo(0.00702, 9);
    expect(run('429x2-recovers.txt').events.at(-1)).toMatchObject({ ok: true });
  });

  it('is not ok after a rejected tool, although opencode ends with code 0', () => {
    const { events } = run('rejected.jsonl');
    expect(eventsOf(events, 'denied')).toMatchObject([{ tool: 'write' }]);
    expect(eventsOf(events, 'error')).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('has crashed when no step followed where one had to, and is cut off at its output limit', () => {
    const finish = (reason: string) => {
      const stream = new OpencodeStream({ clock });
      stream.push(JSON.stringify({ type: 'step_finish', sessionID: 's', part: { reason } }), 'stdout');
      return stream.end({ kind: 'exited', code: 0, durationMs: 1 });
    };
    expect(finish('tool-calls')).toMatchObject([{ kind: 'crash' }, { type: 'result', ok: false }]);
    expect(finish('length')).toMatchObject([{ kind: 'refused' }, { ok: false }]);
  });
});

describe('an opencode run that fails tells its kind', () => {
  it.each([
    ['401.txt', 'auth', undefined],
    ['429.txt', 'quota', NOW + 20_000],
    ['429-retry-after5.txt', 'quota', NOW + 5000],
    ['500.txt', 'overloaded', undefined],
    ['503.txt', 'overloaded', undefined],
    ['quota.txt', 'quota', undefined],
    ['usage.txt', 'quota', 1_794_773_153_000],
    ['resume-unknown.txt', 'refused', undefined],
    ['cut.txt', 'crash', undefined],
    ['hang.txt', 'crash', undefined],
  ])('%s: %s', (name, kind, resetAt) => {
    const { events } = run(name);
    const errors = eventsOf(events, 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.kind).toBe(kind);
    expect(errors[0]?.resetAt).toBe(resetAt);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it.each([
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '30' }, NOW + 30_000],
    [{ 'retry-after': '30', 'x-codex-primary-reset-at': '1794773153' }, 1_794_773_153_000],
  ])('a spent plan with the headers %j', (responseHeaders, resetAt) => {
    const data = { message: 'The usage limit has been reached', statusCode: 429, responseHeaders };
    const line = { type: 'error', sessionID: 's', error: { name: 'APIError', data } };
    const stream = new OpencodeStream({ clock });
    const [error] = eventsOf(stream.push(JSON.stringify(line), 'stdout'), 'error');
    expect(error).toMatchObject({ kind: 'quota' });
    expect(error?.resetAt).toBe(resetAt);
  });
});

describe('what an opencode conversation has cost', () => {
  it('is remembered for a dialogue, which counts all of it', () => {
    const before = { id: 'ses_1', counted: { tokens: { input: 0, cached: 0, output: 0 }, usd: 1 } };
    const usd = (resume?: AgentConversation) => {
      const stream = new OpencodeStream({ clock, ...(resume ? { resume } : {}) });
      const spent = usedUsd(replay(stream, readTranscript('opencode', 'headless.jsonl')));
      return { spent, counted: stream.conversation?.counted?.usd };
    };
    const alone = usd();
    expect(alone.counted).toBeCloseTo(alone.spent, 9);
    expect(usd(before).counted).toBeCloseTo(1 + alone.spent, 9);
    expect(usd({ id: 'ses_1' }).counted).toBeUndefined();
  });
});
