import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentError } from '../stream/error-kind.ts';

const NOW = '2026-11-15T18:00:30Z';
const zone = process.env['TZ'];

/** What names no zone is by the clock of the machine. */
beforeAll(() => {
  process.env['TZ'] = 'UTC';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

interface Sentence {
  readonly kind: string;
  readonly at: string;
  readonly known: string;
  readonly said: string;
}

function sentencesOf(family: string): readonly Sentence[] {
  const text = readFileSync(new URL(`recorded/${family}.txt`, import.meta.url), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [kind = '', at = '', known = '', ...said] = line.split(' | ');
    return { kind, at, known, said: said.join(' | ').replaceAll('¶', '\n') };
  });
}

describe.each(['anthropic', 'openai', 'google', 'others'])('what %s says about limits (B-18)', (family) => {
  const sentences = sentencesOf(family);

  it('is at least forty sentences', () => {
    expect(sentences.length).toBeGreaterThanOrEqual(40);
  });

  it.each(sentences)('$kind until $at ($known): $said', ({ said, kind, at, known }) => {
    const now = Date.parse(/now=(\S+)/.exec(known)?.[1] ?? NOW);
    const status = /(?:^| )(\d{3})$/.exec(known)?.[1];
    const error = agentError({ message: said, ...(status ? { status: Number(status) } : {}) }, now);
    const until = error.resetAt === undefined ? '-' : new Date(error.resetAt).toISOString();
    const expected = at === '-' ? '-' : new Date(at).toISOString();
    expect({ kind: error.kind, until }).toEqual({ kind, until: expected });
  });
});
