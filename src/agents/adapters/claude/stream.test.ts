import { describe, expect, it } from 'vitest';
import { eventsOf, readTranscript, replay, usedTokens, usedUsd } from '../stream/testing.ts';
import { ClaudeStream } from './stream.ts';

const NOW = Date.parse('2026-11-15T18:27:55Z');
const clock = { now: () => NOW, elapsed: () => 0 };

function run(name: string, context: ConstructorParameters<typeof ClaudeStream>[0] = {}) {
  const stream = new ClaudeStream({ clock, ...context });
  const events = replay(stream, readTranscript('claude', name));
  return { stream, events };
}

describe('a claude run that works (ADP-01)', () => {
  it('tells session, text, tool, file, usage and result', () => {
    const { events, stream } = run('headless.jsonl');
    expect(events.filter((event) => event.type !== 'usage')).toEqual([
      { type: 'session', id: 'e3cd3b8e-57a8-452f-85ac-a2c2564198c5', model: 'claude-opus-5-5' },
      { type: 'text', text: 'I will write the file.' },
      {
        type: 'tool',
        id: 'toolu_d3fe0fceb6cb4cf4b940efb9',
        name: 'Write',
        input: { file_path: 'a.txt', content: 'hello-from-fake-model\n' },
      },
      expect.objectContaining({ type: 'tool.ended', id: 'toolu_d3fe0fceb6cb4cf4b940efb9', ok: true }),
      { type: 'file', path: 'a.txt', change: 'added' },
      { type: 'text', text: 'DONE: wrote a.txt' },
      { type: 'result', ok: true, text: 'DONE: wrote a.txt' },
    ]);
    expect(usedTokens(events)).toEqual({ input: 2800, cached: 400, output: 68 });
    expect(usedUsd(events)).toBeCloseTo(0.01104, 6);
    expect(stream.conversation?.counted?.usd).toBeCloseTo(0.01104, 6);
  });

  it('counts only its own money after a resume, although claude counts the conversation', () => {
    const { stream: first } = run('headless.jsonl');
    const resume = first.conversation!;
    const { events } = run('resume.jsonl', { resume });
    expect(usedUsd(events)).toBeCloseTo(0.01104, 6);
    expect(usedTokens(events)).toEqual({ input: 2800, cached: 400, output: 68 });
    const unknown = run('resume.jsonl', { resume: { id: resume.id } });
    expect(usedUsd(unknown.events)).toBeCloseTo(0.01104, 6);
  });

  it('is logged in by token as well, and recovers after retries', () => {
    expect(run('oauth-ok.txt').events.at(-1)).toMatchObject({ type: 'result', ok: true });
    const { events } = run('429x2-recovers.txt');
    expect(eventsOf(events, 'retrying')).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: true });
    expect(run('jsonschema.jsonl').events.at(-1)).toMatchObject({ text: '{"ok":true,"file":"f.txt"}' });
  });

  it('is not ok when its tools were blocked, although claude says success with code 0', () => {
    const { events } = run('denied.jsonl');
    expect(eventsOf(events, 'denied')).toEqual([
      { type: 'denied', tool: 'Write', reason: expect.stringContaining("haven't granted") as string },
    ]);
    expect(events.at(-1)).toEqual({ type: 'result', ok: false, text: 'DONE: wrote a.txt', blocked: true });
  });
});

describe('a claude run that fails tells its kind', () => {
  it.each([
    ['401.txt', 'auth', undefined],
    ['401-retries0.txt', 'auth', undefined],
    ['403.txt', 'auth', undefined],
    ['429.txt', 'overloaded', undefined],
    ['429-retries1.txt', 'overloaded', undefined],
    ['429-retry-after5.txt', 'overloaded', undefined],
    ['usage-apikey.txt', 'overloaded', undefined],
    ['500.txt', 'overloaded', undefined],
    ['529.txt', 'overloaded', undefined],
    ['quota.txt', 'quota', undefined],
    ['usage-oauth.txt', 'quota', 1_794_770_874_000],
    ['maxturns.jsonl', 'refused', undefined],
    ['maxbudget.jsonl', 'refused', undefined],
    ['not-logged-in.txt', 'auth', undefined],
    ['resume-unknown.txt', 'refused', undefined],
    ['hang.txt', 'crash', undefined],
    ['cut.txt', 'crash', undefined],
  ])('%s: %s', (name, kind, resetAt) => {
    const { events } = run(name);
    const errors = eventsOf(events, 'error');
    expect(errors).toHaveLength(1);
    expect(errors[0]?.kind).toBe(kind);
    expect(errors[0]?.resetAt).toBe(resetAt);
    expect(events.at(-1)).toMatchObject({ type: 'result', ok: false });
  });

  it('shows its retries as they happen', () => {
    const retries = eventsOf(run('429.txt').events, 'retrying');
    expect(retries).toHaveLength(10);
    expect(retries[0]).toEqual({ type: 'retrying', reason: 'rate_limit 429', attempt: 1, waitMs: 518 });
  });
});

describe('claude that asks (permissions: ask)', () => {
  const lines = readTranscript('claude', 'bidi.jsonl').stdout;

  it('opens the channel with the prompt and answers as the recording did', () => {
    const stream = new ClaudeStream({
      dialogue: { cwd: '/lab', params: {}, asks: true, prompt: 'FILE=bidi1.txt go' },
    });
    expect(
      stream.opening
        ?.trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toContainEqual({
      type: 'user',
      message: { role: 'user', content: 'FILE=bidi1.txt go' },
    });
    const answered: unknown[] = [];
    for (const line of lines.filter((each) => each.startsWith('<< '))) {
      for (const event of stream.push(line.slice(3), 'stdout')) {
        if (event.type !== 'asked') continue;
        expect(event.choices).toEqual(['Allow once', 'Allow for this session', 'Deny']);
        answered.push(JSON.parse(stream.answer(event.id, 'Allow once')));
      }
    }
    const recorded = lines.filter((line) => line.startsWith('>> {"type":"control_response"'));
    expect(answered).toEqual(recorded.map((line) => JSON.parse(line.slice(3)) as unknown));
  });

  it('denies with the words of the person, and allows for the session where claude offers it', () => {
    const stream = new ClaudeStream({});
    const request = {
      subtype: 'can_use_tool',
      tool_name: 'Bash',
      input: { command: 'ls' },
      permission_suggestions: [{ type: 'setMode' }],
    };
    const ask = (id: string) =>
      stream.push(JSON.stringify({ type: 'control_request', request_id: id, request }), 'stdout');
    expect(ask('a')).toMatchObject([{ type: 'asked', id: 'a', question: 'Claude wants to use Bash: ls' }]);
    expect(stream.answer('a', 'use make instead')).toContain(
      '"behavior":"deny","message":"use make instead"',
    );
    ask('b');
    expect(stream.answer('b', '2')).toContain('"updatedPermissions":[{"type":"setMode"}]');
    ask('c');
    expect(stream.answer('c', 'Deny')).toContain('The person denied this.');
  });

  it('hands on a question of its own with the choices, and answers it', () => {
    const stream = new ClaudeStream({});
    const questions = [{ question: 'Which port?', options: [{ label: '80' }, { label: '443' }] }];
    const request = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: { questions } };
    const line = JSON.stringify({ type: 'control_request', request_id: 'q', request });
    expect(stream.push(line, 'stdout')).toEqual([
      { type: 'asked', id: 'q', question: 'Which port?', choices: ['80', '443'] },
    ]);
    expect(stream.answer('q', '443')).toContain('"answers":{"Which port?":"443"}');
  });
});
