import { describe, expect, it } from 'vitest';
import { openStream, streamNames } from './open-stream.ts';
import type { StreamContext } from './stream/context.ts';
import { eventsOf, outgoingOf, readTranscript, replay, type Transcript } from './stream/testing.ts';

const NOW = Date.parse('2026-11-16T02:34:00Z');
const clock = { now: () => NOW, elapsed: () => 0 };
const dialogue = { prompt: 'do it', cwd: '/lab', params: {}, asks: false };

function printed(lines: readonly string[], code = 0): Transcript {
  return { stdout: lines, stderr: [], end: { kind: 'exited', code, durationMs: 1 } };
}

/** For every stream a run that went well and one in which the CLI itself told of an error. */
const RUNS: { readonly [stream: string]: { readonly well: Transcript; readonly badly: Transcript } } = {
  text: { well: printed(['Done.']), badly: printed(['The tank is empty.'], 1) },
  'scripted-jsonl': {
    well: printed(['{"type":"result","ok":true,"text":"Done."}']),
    badly: printed([
      '{"type":"error","kind":"crash","message":"The tank is empty."}',
      '{"type":"result","ok":false,"text":""}',
    ]),
  },
  'claude-stream-json': recorded('claude', 'headless.jsonl', '500.txt'),
  'gemini-stream-json': recorded('gemini', 'headless.jsonl', '500.txt'),
  'opencode-json': recorded('opencode', 'headless.jsonl', '401.txt'),
  'codex-app-server': recorded('codex', 'headless.jsonl', '500.jsonl'),
  'gemini-acp': recorded('gemini', 'acp-ask-yes.jsonl', 'acp-401.jsonl'),
  'opencode-acp': recorded('opencode', 'acp-ask-yes.jsonl', 'acp-401.jsonl'),
  'qwen-stream-json': recorded('qwen', 'headless.jsonl', '401.jsonl'),
  'qwen-acp': {
    well: readTranscript('qwen', 'acp-ask-yes.jsonl'),
    badly: readTranscript('copilot', 'not-logged-in.jsonl'),
  },
  'copilot-acp': recorded('copilot', 'headless.jsonl', 'quota.jsonl'),
  'pi-json': recorded('pi', 'headless.jsonl', '401.jsonl'),
  acp: recorded('opencode', 'acp-ask-yes.jsonl', 'acp-401.jsonl'),
};

function recorded(cli: string, well: string, badly: string) {
  return { well: readTranscript(cli, well), badly: readTranscript(cli, badly) };
}

function open(name: string, context: StreamContext = {}) {
  const stream = openStream(name, { clock, ...context, dialogue });
  if (!stream) throw new Error(`There is no stream ${name}.`);
  outgoingOf(stream);
  return stream;
}

describe.each(streamNames())('errors of a definition with the stream %s', (name) => {
  const { well, badly } = RUNS[name] ?? { well: printed([]), badly: printed([]) };
  const spent = '[pump] fuel is used up, try again in 10 minutes';

  it.each(['stdout', 'stderr'] as const)('a line on %s is believed, whatever the exit code', (from) => {
    const run = (errors: StreamContext['errors']) => {
      const stream = open(name, errors ? { errors } : {});
      const before = stream.push(spent, from);
      return [...before, ...replay(stream, well)];
    };
    expect(run([]).at(-1)).toMatchObject({ type: 'result', ok: true });
    const events = run([{ pattern: 'fuel is used up', kind: 'quota' }]);
    expect(eventsOf(events, 'error')).toEqual([
      { type: 'error', kind: 'quota', message: spent, resetAt: NOW + 600_000 },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('what the CLI tells as an error is what the definition says', () => {
    const plain = eventsOf(replay(open(name), badly), 'error').at(-1);
    expect(plain).toBeDefined();
    const kind = plain?.kind === 'loop' ? 'refused' : 'loop';
    const events = replay(open(name, { errors: [{ pattern: '.', kind }] }), badly);
    expect(eventsOf(events, 'error').at(-1)?.kind).toBe(kind);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });
});
