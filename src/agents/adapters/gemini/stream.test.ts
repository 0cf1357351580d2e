import { describe, expect, it } from 'vitest';
import { eventsOf, readTranscript, replay, usedTokens, usedUsd } from '../stream/testing.ts';
import { GeminiStream } from './stream.ts';

const NOW = Date.parse('2026-11-15T18:39:17Z');
const clock = { now: () => NOW, elapsed: () => 0 };

function run(name: string) {
  const stream = new GeminiStream({ clock });
  return { stream, events: replay(stream, readTranscript('gemini', name)) };
}

describe('a gemini run that works (ADP-01)', () => {
  it('joins the pieces of what it says and tells tools, file, usage and result', () => {
    const { events, stream } = run('headless.jsonl');
    expect(events.map(({ type }) => type)).toEqual([
      'session',
      'text',
      'tool',
      'tool.ended',
      'file',
      'text',
      'usage',
      'result',
    ]);
    expect(events.at(-1)).toEqual({ type: 'result', ok: true, text: 'DONE: wrote a.txt' });
    expect(stream.conversation).toEqual({ id: 'bc21b200-519e-4a90-99de-11976ec94950' });
  });

  it('keeps text that came in pieces together', () => {
    const stream = new GeminiStream({ clock });
    const piece = (content: string) =>
      stream.push(JSON.stringify({ type: 'message', role: 'assistant', content, delta: true }), 'stdout');
    expect([...piece('Hel'), ...piece('lo')]).toEqual([]);
    const tool = { type: 'tool_use', tool_name: 'x', tool_id: '1', parameters: {} };
    expect(stream.push(JSON.stringify(tool), 'stdout')).toMatchObject([{ type: 'text', text: 'Hello' }, {}]);
  });

  it('counts per run, even after a resume, and estimates the price by model', () => {
    const { events } = run('resume.jsonl');
    expect(usedTokens(events)).toEqual({ input: 3600, cached: 600, output: 102 });
    const lite = (1000 * 0.3 + 200 * 0.03 + 34 * 2.5) / 1e6;
    const flash = (2000 * 0.75 + 400 * 0.075 + 68 * 3.75) / 1e6;
    expect(usedUsd(events)).toBeCloseTo(lite + flash, 9);
    expect(eventsOf(events, 'usage')[0]?.estimated).toBe(true);
  });

  it('shows retries that succeed in the end', () => {
    const { events } = run('429x2-recovers.txt');
    expect(eventsOf(events, 'retrying').map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: true });
  });

  it('says nothing of tools that gemini did not offer to its model', () => {
    expect(run('not-offered.jsonl').events.map(({ type }) => type)).toEqual([
      'session',
      'text',
      'usage',
      'result',
    ]);
  });

  it.each([
    { type: 'policy_violation', message: 'Tool execution denied by policy.' },
    { type: 'invalid_tool_params', message: 'Path not in workspace: Attempted path "/x" resolves outside' },
  ])('is not ok when a tool was denied: $message', (error) => {
    const stream = new GeminiStream({ clock });
    const lines = [
      { type: 'tool_use', tool_name: 'run_shell_command', tool_id: '1', parameters: { command: 'ls' } },
      {
        type: 'tool_result',
        tool_id: '1',
        status: 'error',
        error,
      },
      { type: 'result', status: 'success', stats: {} },
    ];
    const events = lines.flatMap((line) => stream.push(JSON.stringify(line), 'stdout'));
    expect(eventsOf(events, 'denied')).toMatchObject([{ tool: 'run_shell_command' }]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });
});

describe('a gemini run that fails tells its kind', () => {
  const midnightInCalifornia = Date.parse('2026-11-16T08:00:00Z');

  it.each([
    ['401.txt', 'auth', 0, undefined],
    ['403.txt', 'auth', 0, undefined],
    ['not-logged-in.txt', 'auth', 0, undefined],
    ['429.txt', 'overloaded', 13, undefined],
    ['429-fixedmodel.txt', 'overloaded', 9, undefined],
    ['429-maxattempts2.txt', 'overloaded', 1, undefined],
    ['429-retryinfo3.txt', 'overloaded', 11, undefined],
    ['500.txt', 'overloaded', 10, undefined],
    ['503.txt', 'overloaded', 13, undefined],
    ['quota.txt', 'quota', 0, midnightInCalifornia],
    ['maxturns.txt', 'refused', 0, undefined],
    ['resume-unknown.txt', 'refused', 0, undefined],
  ])('%s: %s', (name, kind, retries, resetAt) => {
    const { events } = run(name);
    const errors = eventsOf(events, 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.kind).toBe(kind);
    expect(errors[0]?.resetAt).toBe(resetAt);
    expect(eventsOf(events, 'retrying')).toHaveLength(retries);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('is a quota with a moment when the provider said how long to wait', () => {
    const stream = new GeminiStream({ clock });
    stream.push('Suggested retry after 30s.. Max attempts reached', 'stderr');
    const error = {
      type: 'unknown',
      message: '[API Error: Resource has been exhausted (e.g. check quota).]',
    };
    const events = stream.push(
      JSON.stringify({ type: 'result', status: 'error', error, stats: {} }),
      'stdout',
    );
    expect(eventsOf(events, 'error')).toMatchObject([{ kind: 'quota', resetAt: NOW + 30_000 }]);
  });
});
