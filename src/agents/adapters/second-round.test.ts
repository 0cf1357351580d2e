import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AgentStream } from '../adapter.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { eventsOf, readTranscript, replay, transcriptPath, usedTokens, usedUsd } from './stream/testing.ts';

function open(cli: string): AgentStream {
  return new AdapterRegistry().create(cli, { name: cli, cwd: '/lab' }).openStream!('headless')!;
}

/** All lines but the end of the process, as they would be heard. */
function heard(cli: string, name: string): AgentStream {
  const stream = open(cli);
  const { stdout, stderr } = readTranscript(cli, name);
  for (const line of stdout) stream.push(line, 'stdout');
  for (const line of stderr) stream.push(line, 'stderr');
  return stream;
}

describe('a CLI that sleeps on a quota by itself (B-18)', () => {
  it('codex says in its log for how long', () => {
    const { waits } = heard('codex', '429-sleeps.txt');
    expect(waits?.ms).toBeGreaterThan(3_500_000);
    expect(waits?.error).toMatchObject({ kind: 'quota' });
    expect((waits?.error.resetAt ?? 0) - Date.now()).toBeGreaterThan(3_500_000);
  });

  it('opencode says only that a call failed, and when it asks again', () => {
    const stream = heard('opencode', '429-sleeps.txt');
    expect(stream.waits).toMatchObject({ error: { kind: 'quota' } });
    expect(stream.waits?.ms).toBeUndefined();
    const asks = readTranscript('opencode', '429-sleeps.txt').stderr.findLast((line) =>
      / message=stream .*small=false/.test(line),
    );
    stream.push(asks ?? '', 'stderr');
    expect(stream.waits).toBeUndefined();
  });

  it('gemini says it at the end of a message of several lines', () => {
    const stream = open('gemini');
    stream.push('Attempt 1 failed: You have exhausted your capacity on this model.', 'stderr');
    expect(stream.waits).toBeUndefined();
    stream.push('Suggested retry after 36000s.. Retrying after 36012000ms...', 'stderr');
    expect(stream.waits).toMatchObject({ ms: 36_012_000, error: { kind: 'quota' } });
  });

  it('claude says it with every retry', () => {
    const stream = open('claude');
    const retry = { type: 'system', subtype: 'api_retry', error_status: 429, retry_delay_ms: 3_600_000 };
    stream.push(JSON.stringify(retry), 'stdout');
    expect(stream.waits).toMatchObject({ ms: 3_600_000, error: { kind: 'quota' } });
  });
});

describe('what counts as done', () => {
  it('a right fix whose last tool was denied says that it was blocked (claude)', () => {
    const events = replay(open('claude'), readTranscript('claude', 'denied-last.txt'));
    expect(eventsOf(events, 'denied').map(({ tool }) => tool)).toEqual(['Bash']);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false, blocked: true });
  });

  it('a run that gemini broke off by itself is none, whatever its status says', () => {
    const events = replay(open('gemini'), readTranscript('gemini', 'loop.txt'));
    expect(eventsOf(events, 'error')).toMatchObject([
      { kind: 'loop', message: expect.stringContaining('Loop') },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('a lost connection of gemini is a matter of the network', () => {
    const events = replay(open('gemini'), readTranscript('gemini', 'cut.txt'));
    expect(eventsOf(events, 'error').at(-1)).toMatchObject({ kind: 'network' });
  });

  it('what the rules of codex rejected stands only in its log, and is told', () => {
    const stream = open('codex');
    const stderr = readFileSync(transcriptPath('codex', 'policy.stderr'), 'utf8').trim().split('\n');
    const denied = eventsOf(
      stderr.flatMap((line) => stream.push(line, 'stderr')),
      'denied',
    );
    expect(denied).toMatchObject([{ tool: 'shell', reason: expect.stringContaining('not permitted') }]);
    const ours = stderr.join('\n').replace(/Rejected\(.*\)/, 'Rejected(\\"rejected by user\\")');
    expect(ours.split('\n').flatMap((line) => open('codex').push(line, 'stderr'))).toEqual([]);
  });
});

describe('a codex that could not write its output', () => {
  it('has failed, and nobody waits for what it had to say', () => {
    const line =
      '2026-11-18T12:17:41.510419Z ERROR codex_app_server_transport::transport::stdio: Failed to write to stdout: Resource temporarily unavailable (os error 11)';
    const events = open('codex').push(line, 'stderr');
    expect(events).toMatchObject([
      { type: 'error', kind: 'crash', message: expect.stringContaining('could not write') },
      { type: 'result', ok: false },
    ]);
  });
});

describe('what a claude run has used (counted against served)', () => {
  it('is known when it is ended in the middle: one answer of 1,200 and 34 tokens', () => {
    const events = replay(open('claude'), readTranscript('claude', 'partial-cut.txt'));
    expect(usedTokens(events)).toEqual({ input: 1200, cached: 200, output: 34 });
    // Opus 5.5 by our table: 1,000 fresh, 200 cached, 34 written.
    expect(usedUsd(events)).toBeCloseTo((1000 * 4 + 200 * 0.2 + 34 * 20) / 1e6, 9);
  });

  it('is settled by its result, and what was estimated is not counted twice', () => {
    const events = replay(open('claude'), readTranscript('claude', 'denied-last.txt'));
    expect(usedTokens(events)).toEqual({ input: 3600, cached: 600, output: 102 });
    expect(usedUsd(events)).toBeCloseTo(0.01416, 9);
    expect(eventsOf(events, 'usage').at(-1)).toMatchObject({ estimated: false, settles: true });
  });
});
