import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../kernel/json.ts';
import { resetOfHeaders } from './headers.ts';

const NOW = Date.parse('2026-11-15T18:00:30Z');

describe('when the headers of a refusal say that it is over (B-18)', () => {
  it.each<[JsonObject, string | undefined]>([
    [{ 'retry-after': '3600' }, '2026-11-15T19:00:30Z'],
    [{ 'Retry-After': 'Sun, 15 Nov 2026 19:30:00 GMT' }, '2026-11-15T19:30:00Z'],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, '2026-11-15T18:00:31.500Z'],
    [{ 'retry-after': '0' }, undefined],
    [{ 'anthropic-ratelimit-unified-reset': '1794773153', 'retry-after': '10' }, '2026-11-15T20:05:53Z'],
    [
      {
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-15T18:02:00Z',
      },
      '2026-11-15T18:02:00Z',
    ],
    [
      {
        'anthropic-ratelimit-tokens-remaining': '9',
        'anthropic-ratelimit-tokens-reset': '2026-11-15T18:02:00Z',
      },
      undefined,
    ],
    [
      { 'x-codex-primary-used-percent': '100', 'x-codex-primary-reset-at': '1794773153' },
      '2026-11-15T20:05:53Z',
    ],
    [
      {
        'x-codex-primary-used-percent': '40',
        'x-codex-primary-reset-at': '1794773153',
        'x-codex-secondary-used-percent': '100',
        'x-codex-secondary-reset-at': '1795000000',
      },
      '2026-11-18T11:06:40Z',
    ],
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '6m0s' }, '2026-11-15T18:06:30Z'],
    [{ 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '6m0s' }, undefined],
    [{ 'X-RateLimit-Reset': '1794873600000' }, '2026-11-17T00:00:00Z'],
    [{ 'content-type': 'application/json' }, undefined],
  ])('%j', (headers, at) => {
    expect(resetOfHeaders(headers, NOW)).toBe(at === undefined ? undefined : Date.parse(at));
  });
});
