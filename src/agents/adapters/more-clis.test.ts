import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../kernel/json.ts';
import type { AgentEvent } from '../event.ts';
import { AdapterRegistry } from '../registry/registry.ts';
import { openStream } from './open-stream.ts';
import type { DialogueContext } from './stream/context.ts';
import { both, eventsOf, outgoingOf, readTranscript, replay, usedTokens, usedUsd } from './stream/testing.ts';

const SERVED = { input: 2400, cached: 400, output: 68 };
const NOTHING = { input: 0, cached: 0, output: 0 };

function played(cli: string, name: string, permissions: 'edits' | 'ask' = 'edits'): readonly AgentEvent[] {
  const adapter = new AdapterRegistry().create(cli, { name: cli, cwd: '/lab', permissions });
  return replay(adapter.openStream!('headless')!, readTranscript(cli, name));
}

/** Says what was said in the recording, and what we would say. */
function spoken(cli: string, name: string, wish: Partial<DialogueContext> = {}, answer = 'yes') {
  const prompt = 'FILE=a.txt CONTENT=word write it';
  const dialogue = { prompt, cwd: `/lab/w-${cli}`, params: {}, asks: true, ...wish };
  const stream = openStream(`${cli}-acp`, { dialogue })!;
  const transcript = readTranscript(cli, name);
  const sent = (stream.opening ?? '').split('\n').filter(Boolean);
  const events: AgentEvent[] = [];
  for (const line of both(transcript).theirs) {
    const told = stream.push(line, 'stdout');
    events.push(...told);
    sent.push(...outgoingOf(stream));
    for (const { id } of eventsOf(told, 'asked')) sent.push(...stream.answer!(id, answer).split('\n'));
  }
  events.push(...stream.end(transcript.end));
  const parse = (lines: readonly string[]) =>
    lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JsonObject);
  return { events, sent: parse(sent), recorded: parse(both(transcript).ours) };
}

describe.each([
  ['qwen', 'headless.jsonl', 'write_file', undefined],
  ['pi', 'headless.jsonl', 'write', 0.00714],
  ['copilot', 'headless.jsonl', 'create', undefined],
] as const)('%s that writes a file', (cli, name, tool, usd) => {
  it('tells its conversation, its tool, its words and what the model served', () => {
    const events = played(cli, name);
    expect(eventsOf(events, 'session')).toHaveLength(1);
    expect(eventsOf(events, 'tool').map((event) => event.name)).toEqual([tool]);
    expect(eventsOf(events, 'tool.ended').map(({ ok }) => ok)).toEqual([true]);
    expect(usedTokens(events)).toEqual(SERVED);
    if (usd !== undefined) expect(usedUsd(events)).toBeCloseTo(usd, 9);
    expect(events.at(-1)).toEqual({ type: 'result', ok: true, text: 'DONE: wrote a.txt' });
  });
});

it('what qwen tells without a price has none: its definition says where its tokens stand', () => {
  const usages = eventsOf(played('qwen', 'headless.jsonl'), 'usage');
  expect(usages.map(({ usd }) => usd)).toEqual([undefined, undefined]);
});

it('cn says its last words, and its exit code is the result', () => {
  expect(played('cn', 'headless.txt')).toEqual([
    { type: 'text', text: 'DONE: wrote a.txt' },
    { type: 'result', ok: true, text: 'DONE: wrote a.txt' },
  ]);
});

describe.each([
  ['qwen', '401.jsonl', 'auth', /^Incorrect API key/],
  ['pi', '401.jsonl', 'auth', /^401 Incorrect API key/],
  ['pi', 'quota.jsonl', 'quota', /exceeded your current quota/],
  ['copilot', '401.jsonl', 'auth', /^Authentication failed .* It offers: Log in with Copilot CLI/s],
  ['copilot', 'quota.jsonl', 'quota', /^429 You exceeded your current quota/],
  ['copilot', 'not-logged-in.jsonl', 'auth', /Run `copilot login` in the terminal/],
  ['cn', '401.txt', 'auth', /Incorrect API key/],
] as const)('%s, %s', (cli, name, kind, message) => {
  it(`has failed (${kind}), whatever it says of itself`, () => {
    const events = played(cli, name);
    const error = eventsOf(events, 'error').at(-1);
    expect(error).toMatchObject({ kind, message: expect.stringMatching(message) as string });
    expect(error).not.toHaveProperty('resetAt');
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
    expect(usedTokens(events)).toEqual(NOTHING);
  });
});

it.each([
  ['pi', 'quota.jsonl', 3],
  ['copilot', '401.jsonl', 2],
])('%s tells that it tries again', (cli, name, times) => {
  expect(eventsOf(played(cli, name), 'retrying')).toHaveLength(times);
});

describe.each(['qwen', 'copilot'])('%s that asks', (cli) => {
  it.each(['yes', 'no'])('is answered %s as it was in the recording', (answer) => {
    const { events, sent, recorded } = spoken(cli, `acp-ask-${answer}.jsonl`, {}, answer);
    expect(sent).toEqual(recorded);
    expect(eventsOf(events, 'asked').map(({ question }) => question)).toEqual([
      expect.stringContaining('/a.txt'),
    ]);
    expect(eventsOf(events, 'denied')).toHaveLength(answer === 'no' ? 1 : 0);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: answer === 'yes' });
  });
});

it('a question shows what would run, not only what the CLI calls it', () => {
  const { events } = spoken('copilot', 'acp-shell-no.jsonl', {}, 'no');
  const [asked] = eventsOf(events, 'asked');
  expect(asked?.question).toBe(`Copilot wants to use bash: write a file: printf '%s\\n' 'word' > a.txt`);
});

describe('logging in over ACP', () => {
  it('is asked for by the way that the definition names, before a session is opened', () => {
    const { sent, recorded, events } = spoken('qwen', 'authenticate.dialogue', { authenticate: 'openai' });
    expect(sent).toEqual(recorded);
    expect(sent.map(({ method }) => method).slice(0, 3)).toEqual([
      'initialize',
      'authenticate',
      'session/new',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: true });
  });

  it('is not asked for where none is named', () => {
    const { sent } = spoken('qwen', 'acp-ask-yes.jsonl');
    expect(sent.map(({ method }) => method)).not.toContain('authenticate');
  });
});
