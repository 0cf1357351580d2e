import { describe, expect, it } from 'vitest';
import { type KeyState, pickKey, stateAfter } from './key-pool.ts';
import type { Provider } from './provider.ts';
import { parseReset } from './reset.ts';

const NOW = Date.parse('2026-11-18T12:00:00Z');
const digest = (value: string) => `digest of ${value}`;
const keys = ['a', 'b', 'c'].map((name) => ({ name, value: `value-${name}` }));
const provider: Provider = { name: 'p', kind: 'openai', keys };

const picked = (turn: number, states: { readonly [id: string]: KeyState } = {}) => {
  const found = pickKey(provider, states, { turn, now: NOW, digest });
  return 'key' in found ? found.key.name : found;
};

describe('the keys of a provider', () => {
  it('B-07 take turns', () => {
    expect([0, 1, 2, 3].map((turn) => picked(turn))).toEqual(['a', 'b', 'c', 'a']);
  });

  it('B-07 are passed over while they rest, and when they were turned away', () => {
    expect(picked(0, { 'p/a': { restsUntil: NOW + 1 }, 'p/b': { refused: digest('value-b') } })).toBe('c');
    expect(picked(0, { 'p/a': { restsUntil: NOW }, 'p/b': { refused: digest('an older value') } })).toBe('a');
    expect(picked(1, { 'p/b': { refused: digest('an older value') } })).toBe('b');
  });

  it('B-07 say when the first is free again, or that waiting does not help', () => {
    const out = { refused: digest('value-a') };
    const rests = (ms: number) => ({ restsUntil: NOW + ms });
    expect(picked(0, { 'p/a': out, 'p/b': rests(500), 'p/c': rests(200) })).toEqual({
      none: 'every key for p is at its limit',
      until: NOW + 200,
    });
    const all = Object.fromEntries(keys.map(({ name, value }) => [`p/${name}`, { refused: digest(value) }]));
    expect(picked(0, all)).toEqual({ none: 'every key for p was turned away' });
    expect(pickKey({ ...provider, keys: [] }, {}, { turn: 0, now: NOW, digest })).toEqual({
      none: 'there is no key for p',
    });
  });

  it('B-07 learn from an error only what it says about them', () => {
    const [key = { name: '', value: '' }] = keys;
    const after = (error: Parameters<typeof stateAfter>[1]) => stateAfter(key, error, { now: NOW, digest });
    expect(after({ kind: 'auth', message: 'no' })).toEqual({ refused: digest('value-a'), why: 'no' });
    expect(after({ kind: 'quota', message: 'x', resetAt: NOW + 5 })).toMatchObject({ restsUntil: NOW + 5 });
    expect(after({ kind: 'quota', message: 'x', resetAt: NOW - 5 })).toMatchObject({
      restsUntil: NOW + 60_000,
    });
    expect(after({ kind: 'overloaded', message: 'x' })).toBeUndefined();
  });
});

describe('when a provider takes requests again', () => {
  const at = (headers: { readonly [name: string]: string }, body: object = {}) =>
    parseReset({ status: 429, headers, body: JSON.stringify(body), message: '' }, NOW);

  it.each<[string, { readonly [name: string]: string }, object, number | undefined]>([
    ['seconds', { 'retry-after': '3600' }, {}, 3_600_000],
    ['a date', { 'retry-after': 'Wed, 18 Nov 2026 12:01:00 GMT' }, {}, 60_000],
    ['milliseconds', { 'retry-after-ms': '250' }, {}, 250],
    [
      'a date of the one that is used up',
      { 'anthropic-ratelimit-tokens-reset': '2026-11-18T12:02:00Z' },
      {},
      120_000,
    ],
    ['a span', { 'x-ratelimit-reset-requests': '6m0s' }, {}, 360_000],
    ["Google's field", {}, { error: { details: [{ '@type': 'RetryInfo', retryDelay: '34s' }] } }, 34_000],
    ['seconds since 1970', {}, { error: { resets_at: NOW / 1000 + 90 } }, 90_000],
    ['seconds from now', {}, { error: { resets_in_seconds: 7 } }, 7000],
    ['nothing', {}, { error: { message: 'no' } }, undefined],
  ])('is read from %s', (_, headers, body, wanted) => {
    expect(at(headers, body)).toBe(wanted === undefined ? undefined : NOW + wanted);
  });

  it('is not that of a limit with room left', () => {
    const headers = { 'x-ratelimit-reset-tokens': '6m0s', 'x-ratelimit-remaining-tokens': '10' };
    expect(at(headers)).toBeUndefined();
  });
});
