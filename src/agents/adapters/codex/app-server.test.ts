import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../kernel/json.ts';
import type { StreamContext } from '../stream/context.ts';
import { both, eventsOf, outgoingOf, readTranscript, replay, usedTokens } from '../stream/testing.ts';
import { CodexAppServerStream } from './app-server.ts';

const NOW = Date.parse('2026-11-16T02:22:40Z');
const clock = { now: () => NOW, elapsed: () => 0 };
const dialogue = { prompt: 'FILE=a.txt CONTENT=word write it', cwd: '/lab/w-codex', params: {}, asks: false };

function run(name: string, context: StreamContext = {}) {
  const stream = new CodexAppServerStream({ clock, dialogue, ...context });
  return { stream, events: replay(stream, readTranscript('codex', name)) };
}

/** A stream whose thread has begun. */
function begun(asks = false) {
  const stream = new CodexAppServerStream({ clock, dialogue: { ...dialogue, asks } });
  const push = (message: object) => stream.push(JSON.stringify(message), 'stdout');
  push({ id: 1, result: {} });
  push({ id: 2, result: { thread: { id: 't' }, model: 'gpt-5.4' } });
  stream.outgoing();
  const ask = (id: number, method: string, params: object) =>
    push({ id, method, params: { threadId: 't', ...params } });
  const item = (what: object, method = 'item/completed') =>
    push({ method, params: { threadId: 't', item: what } });
  const sent = () => outgoingOf(stream).map((line) => JSON.parse(line) as JsonObject);
  return { stream, push, ask, item, sent };
}

it('a copy of a conversation is asked for as a fork, and what it cost before is not counted again', () => {
  const counted = { tokens: { input: 4800, cached: 800, output: 136 }, usd: 0 };
  const stream = new CodexAppServerStream({ clock, dialogue, resume: { id: 'old', counted }, fork: true });
  stream.push(JSON.stringify({ id: 1, result: {} }), 'stdout');
  const sent = outgoingOf(stream).map((line) => JSON.parse(line) as JsonObject);
  expect(sent).toContainEqual(expect.objectContaining({ method: 'thread/fork' }));
  stream.push(JSON.stringify({ id: 2, result: { thread: { id: 'new' }, model: 'gpt-5.4' } }), 'stdout');
  const total = { inputTokens: 7200, cachedInputTokens: 1200, outputTokens: 204 };
  const params = { threadId: 'new', tokenUsage: { total } };
  const events = stream.push(JSON.stringify({ method: 'thread/tokenUsage/updated', params }), 'stdout');
  expect(usedTokens(events)).toEqual({ input: 2400, cached: 400, output: 68 });
  expect(stream.conversation?.id).toBe('new');
});

describe('a codex run that works (ADP-01)', () => {
  it('tells session, text, tool, usage and result', () => {
    const { events, stream } = run('headless.jsonl');
    expect(events.map(({ type }) => type)).toEqual([
      'session',
      'text',
      'tool',
      'tool.ended',
      'usage',
      'text',
      'usage',
      'result',
    ]);
    expect(events.at(-1)).toEqual({ type: 'result', ok: true, text: 'DONE: wrote a.txt' });
    expect(usedTokens(events)).toEqual({ input: 2400, cached: 400, output: 68 });
    expect(stream.conversation?.id).toBe(eventsOf(events, 'session')[0]?.id);
  });

  it('writes what the recording wrote: the thread with its permissions, then the prompt', () => {
    const params = { sandbox: 'workspace-write', model: 'm' };
    const stream = new CodexAppServerStream({ dialogue: { ...dialogue, params } });
    const { theirs, ours } = both(readTranscript('codex', 'headless.jsonl'));
    const sent = [stream.opening, ...theirs.map((line) => (stream.push(line, 'stdout'), stream.outgoing()))];
    const messages = sent.flatMap((text) => text.split('\n').filter((line) => line !== ''));
    const methods = (lines: readonly string[]) =>
      lines.map((line) => (JSON.parse(line) as { method: string }).method);
    expect(methods(messages)).toEqual(methods(ours));
    expect(messages.map((line) => JSON.parse(line) as unknown)).toContainEqual({
      jsonrpc: '2.0',
      id: 2,
      method: 'thread/start',
      params: { cwd: '/lab/w-codex', ...params },
    });
    expect(messages.at(-1)).toBe(ours.at(-1));
  });

  it('tells the files of a patch, and the price of a model that is known', () => {
    const { events } = run('patch.jsonl');
    expect(eventsOf(events, 'file')).toEqual([{ type: 'file', path: '/lab/w-codex/a.txt', change: 'added' }]);
    const [known] = eventsOf(events, 'usage');
    expect(known).toMatchObject({ estimated: true });
    expect(known?.usd).toBeCloseTo((1000 * 2 + 200 * 0.1 + 34 * 10) / 1e6, 9);
    expect(eventsOf(run('headless.jsonl').events, 'usage')[0]).not.toHaveProperty('usd');
  });

  it('counts only its own tokens after a resume, although codex counts the thread', () => {
    const { stream } = run('headless.jsonl');
    const { events, stream: second } = run('resume.jsonl', { resume: stream.conversation! });
    expect(usedTokens(events)).toEqual({ input: 2400, cached: 400, output: 68 });
    expect(second.conversation?.counted?.tokens).toEqual({ input: 4800, cached: 800, output: 136 });
  });

  it('counts the tokens of its helpers, and takes none of their turns for its own', () => {
    const { push } = begun();
    const usage = (threadId: string, inputTokens: number) =>
      push({
        method: 'thread/tokenUsage/updated',
        params: { threadId, tokenUsage: { total: { inputTokens, cachedInputTokens: 0, outputTokens: 1 } } },
      });
    expect(usedTokens([...usage('t', 10), ...usage('helper', 7), ...usage('t', 15)]).input).toBe(22);
    const turn = { status: 'completed' };
    expect(push({ method: 'turn/completed', params: { threadId: 'helper', turn } })).toEqual([]);
    expect(push({ method: 'turn/completed', params: { threadId: 't', turn } })).toHaveLength(1);
  });
});

describe('a codex tool that was blocked', () => {
  it.each([
    ['sandboxed.jsonl', 'shell', /^The sandbox stopped it: .*\/var\/tmp\/outside\.txt/],
    ['read-only.jsonl', 'shell', /^The sandbox stopped it: .*a\.txt/],
    ['ask-no.jsonl', 'shell', /^It was not allowed: .*a\.txt/],
    ['patch-declined.jsonl', 'apply_patch', /change \/var\/tmp\/outside\.txt$/],
  ])('%s: is told, and the run is not ok although codex completed it', (name, tool, reason) => {
    const { events } = run(name);
    expect(eventsOf(events, 'denied')).toEqual([
      { type: 'denied', tool, reason: expect.stringMatching(reason) as string },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('is declined where nobody is asked, and told by us where no item tells it', () => {
    const { ask, sent } = begun();
    const command = { itemId: 'i', command: 'rm x', reason: 'command failed; retry without sandbox?' };
    expect(ask(7, 'item/commandExecution/requestApproval', command)).toEqual([]);
    const wish = { permissions: { network: { enabled: true } } };
    expect(ask(8, 'item/permissions/requestApproval', wish)).toMatchObject([{ type: 'denied' }]);
    const form = { serverName: 'db', message: 'Sure?' };
    expect(ask(9, 'mcpServer/elicitation/request', form)).toMatchObject([{ type: 'denied', tool: 'db' }]);
    expect(sent().map(({ id, result }) => [id, result])).toEqual([
      [7, { decision: 'decline' }],
      [8, { permissions: {}, scope: 'turn' }],
      [9, { action: 'decline', content: null, _meta: null }],
    ]);
  });

  it('is known by its words where the command ran and failed; another failure is none', () => {
    const { item } = begun();
    const failed = { id: 'a', type: 'commandExecution', command: 'x', status: 'failed', exitCode: 1 };
    const output = 'bash: /etc/x: Read-only file system';
    expect(item({ ...failed, aggregatedOutput: output })).toMatchObject([
      { type: 'denied', reason: output },
      { type: 'tool.ended', ok: false },
    ]);
    expect(item({ ...failed, aggregatedOutput: '1 test failed' })).toMatchObject([{ type: 'tool.ended' }]);
  });

  it('names MCP tools and searches, and knows no tool in a plan', () => {
    const { item } = begun();
    const mcp = { id: 'm', type: 'mcpToolCall', server: 'db', tool: 'query', arguments: { sql: 'x' } };
    expect(item(mcp, 'item/started')).toEqual([
      { type: 'tool', id: 'm', name: 'db.query', input: { sql: 'x' } },
    ]);
    expect(item({ id: 'w', type: 'webSearch', query: 'q' }, 'item/started')).toMatchObject([
      { name: 'web_search', input: { query: 'q' } },
    ]);
    const opened = { type: 'openPage', url: 'https://a.example/1' };
    expect(item({ id: 'w', type: 'webSearch', query: '', action: opened })).toEqual([
      { type: 'tool.ended', id: 'w', ok: true, output: 'https://a.example/1' },
    ]);
    const searched = { type: 'search', query: 'q', queries: ['q'] };
    expect(item({ id: 'w', type: 'webSearch', query: 'q', action: searched })).toMatchObject([
      { output: 'q' },
    ]);
    expect(item({ id: 't', type: 'plan', text: 'x' })).toEqual([]);
  });
});

describe('codex that asks (permissions: ask)', () => {
  const approval = 'item/commandExecution/requestApproval';

  it('waits for a person, each question by its id, and writes the answer', () => {
    const { ask, stream, sent } = begun(true);
    const [first] = ask(0, approval, { itemId: 'i', command: 'one' });
    const [second] = ask(1, 'item/fileChange/requestApproval', { itemId: 'j' });
    expect(first).toMatchObject({ type: 'asked', id: '0', choices: ['Allow once', 'Deny'] });
    expect(second).toMatchObject({ type: 'asked', id: '1' });
    expect(JSON.parse(stream.answer('1', 'always'))).toMatchObject({
      id: 1,
      result: { decision: 'acceptForSession' },
    });
    expect(JSON.parse(stream.answer('0', '2'))).toMatchObject({ id: 0, result: { decision: 'decline' } });
    expect(sent()).toEqual([]);
  });

  it('leaves a question open whose answer is no choice, and forgets one that codex withdrew', () => {
    const { ask, stream, push } = begun(true);
    ask(0, approval, { itemId: 'i', command: 'one' });
    expect(() => stream.answer('0', 'perhaps')).toThrow('"perhaps" is none of the choices.');
    expect(JSON.parse(stream.answer('0', 'YES'))).toMatchObject({ result: { decision: 'accept' } });
    ask(1, approval, { itemId: 'i', command: 'two' });
    const resolved = { method: 'serverRequest/resolved', params: { threadId: 't', requestId: 1 } };
    expect(push(resolved)).toEqual([{ type: 'withdrawn', id: '1' }]);
    expect(() => stream.answer('1', 'yes')).toThrow('no longer open');
  });

  it('does not get its task where it would work with other approvals than ours', () => {
    const params = { approvalPolicy: 'untrusted' };
    const stream = new CodexAppServerStream({ clock, dialogue: { ...dialogue, params } });
    const push = (message: object) => stream.push(JSON.stringify(message), 'stdout');
    push({ id: 1, result: {} });
    stream.outgoing();
    const events = push({ id: 2, result: { thread: { id: 't' }, approvalPolicy: 'on-request' } });
    expect(events).toMatchObject([
      { type: 'error', kind: 'refused' },
      { type: 'result', ok: false },
    ]);
    expect(outgoingOf(stream)).toEqual([]);
  });

  it('answers what it does not know with an error, so that codex does not wait', () => {
    const { ask, sent } = begun(true);
    expect(ask(4, 'item/tool/call', { tool: 'x' })).toEqual([]);
    expect(sent()).toMatchObject([{ id: 4, error: { code: -32601 } }]);
  });
});

describe('a codex run that fails tells its kind', () => {
  it.each([
    ['401.jsonl', 'auth', 1, undefined],
    ['429.jsonl', 'overloaded', 0, undefined],
    ['500.jsonl', 'overloaded', 1, undefined],
    ['503.jsonl', 'overloaded', 0, undefined],
    ['quota.jsonl', 'quota', 0, undefined],
    ['usage.jsonl', 'quota', 0, 1_794_797_575_000],
    ['resume-unknown.jsonl', 'refused', 0, undefined],
    ['hang.txt', 'crash', 0, undefined],
  ])('%s: %s', (name, kind, retries, resetAt) => {
    const { events } = run(name, name.startsWith('resume') ? { resume: { id: 'x' } } : {});
    const errors = eventsOf(events, 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.kind).toBe(kind);
    expect(errors[0]?.resetAt).toBe(resetAt);
    expect(eventsOf(events, 'retrying')).toHaveLength(retries);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it.each([
    ['contextWindowExceeded', 'refused'],
    ['unauthorized', 'auth'],
    ['serverOverloaded', 'overloaded'],
    [{ responseStreamDisconnected: { httpStatusCode: null } }, 'network'],
  ])('by the name that codex has for it: %j', (codexErrorInfo, kind) => {
    const { push } = begun();
    const error = { message: 'stream disconnected before completion', codexErrorInfo };
    const turn = { status: 'failed', error };
    const events = push({ method: 'turn/completed', params: { threadId: 't', turn } });
    expect(eventsOf(events, 'error')).toMatchObject([{ kind }]);
  });

  it('shows a retry that succeeds in the end', () => {
    const { events } = run('429-recovers.jsonl');
    expect(eventsOf(events, 'retrying')).toMatchObject([{ attempt: 1 }]);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: true });
  });
});
