import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/models/call.ts';
import { callModel } from '../../src/models/call-model.ts';
import type { Provider, ProviderKind } from '../../src/models/provider.ts';
import { BILLED, modelApi, type Turn } from './model-api.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const KINDS: readonly ProviderKind[] = ['anthropic', 'openai', 'google', 'openai-compatible'];

const request: ModelRequest = {
  system: 'system words',
  prompt: 'the prompt',
  answer: { kind: 'text' },
  tools: [],
  maxTurns: 5,
  maxOutputTokens: 1000,
};

async function ask(kind: ProviderKind, turns: readonly Turn[], more: Partial<ModelRequest> = {}) {
  const api = await modelApi((_, count) => turns[count - 1] ?? turns.at(-1) ?? { text: '' });
  const provider: Provider = { name: kind, kind, baseUrl: `${api.url}/v1`, keys: [] };
  const heard = { text: '', tools: [] as string[], tokens: [] as unknown[] };
  const end = await callModel(
    { provider, key: { name: 'KEY', value: 'key-value-1' }, model: 'some-model' },
    { ...request, ...more },
    {
      text: (piece) => (heard.text += piece),
      tool: ({ name, output }) => heard.tools.push(`${name}: ${output}`),
      tokens: (count) => heard.tokens.push(count),
    },
    { cancel: new AbortController().signal, now: () => NOW },
  );
  return { end, heard, api };
}

describe.each(KINDS)('a model of kind %s', (kind) => {
  it('answers, streamed, with what it used', async () => {
    const { end, heard, api } = await ask(kind, [{ text: 'the answer' }]);
    expect(end).toMatchObject({ ok: true, text: 'the answer', tokens: BILLED });
    expect(heard.text).toBe('the answer');
    expect(api.received[0]?.key).toBe('key-value-1');
    expect(api.received[0]?.text).toContain('the prompt');
    expect(api.received[0]?.text).toContain('system words');
  });

  it('uses a tool, and what that cost counts too', async () => {
    const tool = {
      name: 'look',
      description: 'Looks.',
      input: { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] },
      use: async (input: object) => `seen ${JSON.stringify(input)}`,
    };
    const { end, heard } = await ask(kind, [{ tool: 'look', input: { at: 'x' } }, { text: 'done' }], {
      tools: [tool],
    });
    expect(end).toMatchObject({ ok: true, text: 'done' });
    expect(heard.tools).toEqual(['look: seen {"at":"x"}']);
    expect(end.tokens).toEqual({
      input: 2 * BILLED.input,
      cached: 2 * BILLED.cached,
      output: 2 * BILLED.output,
    });
  });

  it.each<[string, Turn, object]>([
    [
      'a rate limit with its end',
      { status: 429, headers: { 'retry-after': '90' } },
      { kind: 'quota', resetAt: NOW + 90_000 },
    ],
    ['a key that is not known', { status: 401 }, { kind: 'auth' }],
    ['an overloaded service', { status: 529 }, { kind: 'overloaded' }],
    ['a service that is down', { status: 503 }, { kind: 'overloaded' }],
    ['a model that is not there', { status: 404 }, { kind: 'unknown-model' }],
    [
      'a prompt that is too long',
      { status: 400, body: { error: { message: 'prompt is too long: 250000 tokens > 200000 maximum' } } },
      { kind: 'context' },
    ],
    ['a stream that is cut', { cut: 'half an ans' }, { kind: 'cut' }],
    ['an answer that was cut at its length', { text: 'half', finish: 'length' }, { kind: 'length' }],
    ['a refusal', { text: '', finish: 'refusal' }, { kind: 'refused' }],
    ['something that is no answer', { malformed: 'data: {not json\n\n' }, { kind: 'malformed' }],
  ])('tells %s', async (_, turn, error) => {
    const { end } = await ask(kind, [turn]);
    expect(end).toMatchObject({ ok: false, error });
  });
});

it('hands over what the answer must look like, where the provider takes it', async () => {
  const schema = { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'] };
  const shown = await Promise.all(
    (['anthropic', 'openai', 'google'] as const).map(async (kind) => {
      const { api } = await ask(kind, [{ text: '{"verdict":"x"}' }], { answer: { kind: 'schema', schema } });
      return api.received[0]?.text.includes('"verdict"');
    }),
  );
  expect(shown).toEqual([true, true, true]);
});
