import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../kernel/json.ts';
import type { AgentEvent } from '../../event.ts';
import { openStream } from '../open-stream.ts';
import type { StreamContext } from '../stream/context.ts';
import {
  both,
  eventsOf,
  outgoingOf,
  readTranscript,
  replay,
  usedTokens,
  usedUsd,
} from '../stream/testing.ts';

const NOW = Date.parse('2026-11-16T02:34:00Z');
const clock = { now: () => NOW, elapsed: () => 0 };
const PROMPT = 'FILE=a.txt CONTENT=word write it';

function open(cli: string, context: StreamContext = {}) {
  const dialogue = { prompt: PROMPT, cwd: `/lab/w-${cli}`, params: {}, asks: true };
  return openStream(cli === 'acp' ? 'acp' : `${cli}-acp`, { clock, dialogue, ...context })!;
}

/** Plays a recording; a question is answered as it was then, so that both sides are those of the recording. */
function converse(cli: string, name: string, answer?: string, context: StreamContext = {}) {
  const stream = open(cli, context);
  const transcript = readTranscript(cli, name);
  const sent = lines(stream.opening ?? '');
  const events: AgentEvent[] = [];
  for (const line of both(transcript).theirs) {
    const told = stream.push(line, 'stdout');
    events.push(...told);
    sent.push(...outgoingOf(stream));
    for (const { id } of eventsOf(told, 'asked')) sent.push(...lines(stream.answer!(id, answer ?? '')));
  }
  events.push(...stream.end(transcript.end));
  return { stream, events, sent: sent.map(parse), recorded: both(transcript).ours.map(parse) };
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');
const parse = (line: string) => JSON.parse(line) as JsonObject;

describe.each([
  ['gemini', 'write_file', 'run_shell_command', 'Gemini CLI'],
  ['opencode', 'write', 'bash', 'OpenCode'],
])('%s that asks (permissions: ask)', (cli, writes, runs, who) => {
  it('says what the recording said, asks, and tells tool, file, usage and result', () => {
    const { events, sent, recorded, stream } = converse(cli, 'acp-ask-yes.jsonl', 'yes');
    expect(sent).toEqual(recorded);
    expect(events.map(({ type }) => type)).toEqual([
      'session',
      'text',
      'tool',
      'asked',
      'tool.ended',
      'file',
      'text',
      'usage',
      'result',
    ]);
    expect(eventsOf(events, 'tool')).toMatchObject([{ name: writes }]);
    expect(eventsOf(events, 'asked')[0]?.question).toMatch(`${who} wants to use ${writes}: `);
    expect(eventsOf(events, 'file')).toEqual([
      { type: 'file', path: `/lab/w-${cli}/a.txt`, change: 'added' },
    ]);
    expect(events.at(-1)).toEqual({ type: 'result', ok: true, text: 'DONE: wrote a.txt' });
    expect(stream.conversation?.id).toBe(eventsOf(events, 'session')[0]?.id);
  });

  it.each([
    ['acp-ask-no.jsonl', writes],
    ['acp-shell-no.jsonl', runs],
  ])('%s: a no is a denial, told once, and the run is not ok', (name, tool) => {
    const { events, sent, recorded } = converse(cli, name, 'no');
    expect(sent.at(-1)).toEqual(recorded.at(-1));
    expect(eventsOf(events, 'denied')).toEqual([{ type: 'denied', tool, reason: 'A person denied it.' }]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('tells which command it wants to run', () => {
    const { events } = converse(cli, 'acp-shell-yes.jsonl', 'yes');
    expect(JSON.stringify(eventsOf(events, 'tool')[0]?.input)).toContain("printf '%s\\\\n' 'word' > a.txt");
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: true });
  });

  it('is not logged in', () => {
    const { events } = converse(cli, 'acp-401.jsonl');
    expect(eventsOf(events, 'error')).toMatchObject([{ kind: 'auth' }]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });
});

describe('gemini over ACP', () => {
  it('counts the tokens of its models', () => {
    const { events } = converse('gemini', 'acp-ask-yes.jsonl', 'yes');
    expect(usedTokens(events)).toEqual({ input: 2400, cached: 0, output: 68 });
    expect(eventsOf(events, 'usage')[0]).toMatchObject({ estimated: true });
  });

  it('knows when a daily quota is there again', () => {
    const { events } = converse('gemini', 'acp-quota.jsonl');
    const midnight = Date.parse('2026-11-16T08:00:00Z');
    expect(eventsOf(events, 'error')).toMatchObject([{ kind: 'quota', resetAt: midnight }]);
  });

  it('shows its retries, and why it was ended while it tried', () => {
    const events = replay(open('gemini'), readTranscript('gemini', 'acp-429.txt'));
    expect(eventsOf(events, 'retrying').length).toBeGreaterThan(0);
    expect(eventsOf(events, 'error')).toMatchObject([{ kind: 'overloaded' }]);
  });

  it('knows a tool by the id of its call', () => {
    const { push } = prompted('gemini');
    const name = (toolCallId: string) =>
      eventsOf(push({ sessionUpdate: 'tool_call', toolCallId, status: 'in_progress' }), 'tool')[0]?.name;
    expect(name('read_many_files__fc_1')).toBe('read_many_files');
    expect(name('read_file-1794795069380-1')).toBe('read_file');
    expect(name('x')).toBe('a tool');
  });
});

describe('opencode over ACP', () => {
  it('tells the money of this run, although opencode counts the conversation', () => {
    const { events, stream } = converse('opencode', 'acp-ask-yes.jsonl', 'yes');
    expect(usedUsd(events)).toBeCloseTo(0.00702, 9);
    const resume = stream.conversation!;
    const prompt = 'FILE=b.txt CONTENT=word write it';
    const dialogue = { prompt, cwd: '/lab/w-opencode', params: {}, asks: true };
    const second = converse('opencode', 'acp-resume.jsonl', 'yes', { resume, dialogue });
    expect(second.sent).toEqual(second.recorded);
    expect(usedUsd(second.events)).toBeCloseTo(0.00702, 9);
    expect(second.stream.conversation?.counted?.usd).toBeCloseTo(0.01404, 9);
  });

  it('tells no money where it is not known what the conversation had cost before', () => {
    const resume = { id: 'ses_1' };
    const { events } = converse('opencode', 'acp-resume.jsonl', 'yes', { resume });
    expect(eventsOf(events, 'usage')).toMatchObject([{ tokens: { input: 1200 } }]);
    expect(eventsOf(events, 'usage')[0]).not.toHaveProperty('usd');
  });

  it.each([
    ['acp-quota.jsonl', 'quota'],
    // It says when to try again.
    ['acp-429.jsonl', 'quota'],
    ['acp-resume-unknown.jsonl', 'crash'],
  ])('%s: %s', (name, kind) => {
    const { events } = converse('opencode', name, undefined, { resume: { id: 'x' } });
    expect(eventsOf(events, 'error')).toMatchObject([{ kind }]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });
});

/** A stream whose prompt was sent. */
function prompted(cli: string, context: StreamContext = {}) {
  const stream = open(cli, context);
  const hear = (message: object) => stream.push(JSON.stringify({ jsonrpc: '2.0', ...message }), 'stdout');
  hear({ id: 1, result: {} });
  hear({ id: 2, result: { sessionId: 's' } });
  const push = (update: object) => hear({ method: 'session/update', params: { sessionId: 's', update } });
  return { stream, hear, push };
}

describe('any CLI that speaks ACP', () => {
  const said = (text: string, messageId?: string) => ({
    sessionUpdate: 'agent_message_chunk',
    messageId,
    content: { type: 'text', text },
  });

  it('joins the pieces of a message, until another message begins or a tool is used', () => {
    const { push } = prompted('acp');
    expect([
      ...push(said('Hel', 'm1')),
      ...push({ sessionUpdate: 'available_commands_update' }),
      ...push(said('lo', 'm1')),
    ]).toEqual([]);
    expect(push(said('Bye', 'm2'))).toEqual([{ type: 'text', text: 'Hello' }]);
    const tool = { sessionUpdate: 'tool_call', toolCallId: '1', title: 'read', status: 'in_progress' };
    expect(push(tool)).toMatchObject([
      { type: 'text', text: 'Bye' },
      { type: 'tool', name: 'read' },
    ]);
  });

  it('treats what arrives while a conversation is being loaded as history', () => {
    const stream = open('acp', { resume: { id: 's' } });
    const hear = (message: object) => stream.push(JSON.stringify(message), 'stdout');
    hear({ id: 1, result: { agentCapabilities: { loadSession: true } } });
    expect(outgoingOf(stream).map(parse)).toMatchObject([
      { method: 'session/load', params: { sessionId: 's', cwd: '/lab/w-acp', mcpServers: [] } },
    ]);
    const update = said('the past');
    expect(hear({ method: 'session/update', params: { update } })).toEqual([]);
    expect(hear({ id: 2, result: {} })).toEqual([{ type: 'session', id: 's' }]);
    expect(eventsOf(hear({ id: 3, result: { stopReason: 'end_turn' } }), 'text')).toEqual([]);
  });

  it('sets the model of the session before the prompt', () => {
    const params = { model: 'p/m' };
    const stream = open('acp', { dialogue: { prompt: PROMPT, cwd: '/', params, asks: false } });
    for (const message of [
      { id: 1, result: {} },
      { id: 2, result: { sessionId: 's' } },
      { id: 3, result: {} },
    ])
      stream.push(JSON.stringify(message), 'stdout');
    expect(outgoingOf(stream).map((line) => [parse(line)['method'], parse(line)['params']])).toEqual([
      ['session/new', { cwd: '/', mcpServers: [] }],
      ['session/set_model', { sessionId: 's', modelId: 'p/m' }],
      ['session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: PROMPT }] }],
    ]);
  });

  it.each(['max_tokens', 'refusal', 'cancelled'])('is not ok when it stopped for %s', (stopReason) => {
    const { hear } = prompted('acp');
    const events = hear({ id: 3, result: { stopReason } });
    expect(events).toMatchObject([
      { type: 'error', kind: 'refused' },
      { type: 'result', ok: false },
    ]);
  });

  it('is denied what its own rules kept it from', () => {
    const { push } = prompted('acp');
    const content = [
      { type: 'content', content: { type: 'text', text: 'Tool execution denied by policy.' } },
    ];
    push({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'bash', status: 'pending' });
    const failed = { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'failed', content };
    expect(push(failed)).toMatchObject([
      { type: 'tool', name: 'bash' },
      { type: 'denied', tool: 'bash' },
      { type: 'tool.ended', ok: false },
    ]);
  });
});
