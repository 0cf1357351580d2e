import { describe, expect, it } from 'vitest';
import { eventsOf, readTranscript, replay, usedTokens } from '../stream/testing.ts';
import { CodexStream } from './stream.ts';

// The recording says "try again at 7:34 PM", on the clock of the machine.
const NOW = new Date(2026, 10, 15, 18, 34, 20).getTime();
const clock = { now: () => NOW, elapsed: () => 0 };

function run(name: string, context: ConstructorParameters<typeof CodexStream>[0] = {}) {
  const stream = new CodexStream({ clock, ...context });
  return { stream, events: replay(stream, readTranscript('codex', name)) };
}

function push(item: object, type = 'item.completed') {
  return new CodexStream({}).push(JSON.stringify({ type, item }), 'stdout');
}

describe('a codex run that works (ADP-01)', () => {
  it('tells session, text, tool and result; a warning is no error', () => {
    const { events } = run('headless.jsonl');
    expect(events.map(({ type }) => type)).toEqual([
      'session',
      'text',
      'tool',
      'tool.ended',
      'text',
      'usage',
      'result',
    ]);
    expect(events.at(-1)).toEqual({ type: 'result', ok: true, text: 'DONE: wrote a.txt' });
    expect(usedTokens(events)).toEqual({ input: 2400, cached: 400, output: 68 });
  });

  it('tells the files of a patch', () => {
    const { events } = run('headless-builtin-gpt-6.1-sol.jsonl');
    expect(eventsOf(events, 'file')).toEqual([
      { type: 'file', path: '/lab/w-codex/gpt-6.1-sol.txt', change: 'added' },
    ]);
    expect(run('headless-builtin-gpt-6.1-sol-sh.jsonl').events.at(-1)).toMatchObject({ ok: true });
  });

  it('estimates the price of a model that is known, and none for another', () => {
    const [known] = eventsOf(run('headless.jsonl', { model: 'gpt-6.1-sol' }).events, 'usage');
    expect(known?.estimated).toBe(true);
    expect(known?.usd).toBeCloseTo((2000 * 2 + 400 * 0.1 + 68 * 10) / 1e6, 9);
    const [unknown] = eventsOf(run('headless.jsonl', { model: 'fake-model' }).events, 'usage');
    expect(unknown).not.toHaveProperty('usd');
  });

  it('counts only its own tokens after a resume, although codex counts the thread', () => {
    const { stream } = run('headless.jsonl');
    const { events, stream: second } = run('resume.jsonl', { resume: stream.conversation! });
    expect(usedTokens(events)).toEqual({ input: 2400, cached: 400, output: 68 });
    expect(second.conversation?.counted?.tokens).toEqual({ input: 4800, cached: 800, output: 136 });
  });

  it('cannot see what a read-only sandbox hid from it', () => {
    expect(run('read-only.jsonl').events.at(-1)).toMatchObject({ type: 'result', ok: true });
  });
});

describe('a codex tool that was blocked', () => {
  it('is told where codex declined it, or the sandbox stopped it', () => {
    const declined = { id: 'a', type: 'command_execution', command: 'rm x', status: 'declined' };
    expect(push(declined)).toMatchObject([
      { type: 'denied', tool: 'shell' },
      { type: 'tool.ended', ok: false },
    ]);
    const output = 'bash: /etc/x: Read-only file system';
    const stopped = { ...declined, status: 'failed', exit_code: 1, aggregated_output: output };
    expect(push(stopped)).toMatchObject([
      { type: 'denied', reason: output },
      { type: 'tool.ended', ok: false },
    ]);
    const failing = { ...stopped, aggregated_output: '1 test failed' };
    expect(push(failing)).toMatchObject([{ type: 'tool.ended', ok: false, output: '1 test failed' }]);
  });

  it('names MCP tools and searches, and knows no tool in a to-do list', () => {
    const mcp = { id: 'm', type: 'mcp_tool_call', server: 'db', tool: 'query', arguments: { sql: 'x' } };
    expect(push(mcp, 'item.started')).toEqual([
      { type: 'tool', id: 'm', name: 'db.query', input: { sql: 'x' } },
    ]);
    expect(push({ id: 'w', type: 'web_search', query: 'q' }, 'item.started')).toMatchObject([
      { name: 'web_search', input: { query: 'q' } },
    ]);
    expect(push({ id: 't', type: 'todo_list', items: [] })).toEqual([]);
  });
});

describe('a codex run that fails tells its kind', () => {
  it.each([
    ['401.txt', 'auth', 5, undefined],
    ['429.txt', 'overloaded', 0, undefined],
    ['429x2-recovers.txt', 'overloaded', 0, undefined],
    ['429-retry-after5.txt', 'overloaded', 5, undefined],
    ['500.txt', 'overloaded', 5, undefined],
    ['503.txt', 'overloaded', 0, undefined],
    ['503-retries0.txt', 'overloaded', 0, undefined],
    ['cut.txt', 'network', 5, undefined],
    ['quota.txt', 'quota', 0, undefined],
    ['usage.txt', 'quota', 0, new Date(2026, 10, 15, 19, 34).getTime()],
    ['resume-unknown.txt', 'refused', 0, undefined],
    ['hang.txt', 'crash', 0, undefined],
    ['hang-idle5s.txt', 'crash', 0, undefined],
  ])('%s: %s', (name, kind, retries, resetAt) => {
    const { events } = run(name);
    const errors = eventsOf(events, 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.kind).toBe(kind);
    expect(errors[0]?.resetAt).toBe(resetAt);
    expect(eventsOf(events, 'retrying')).toHaveLength(retries);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });
});
