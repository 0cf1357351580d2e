import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadAndTail } from './head-and-tail.ts';

function fill(limit: number, pieces: readonly string[]) {
  const kept = new HeadAndTail(limit);
  for (const piece of pieces) kept.add(Buffer.from(piece));
  return { ...kept.read(), total: kept.total };
}

describe('keeping the two ends of a text', () => {
  it('keeps everything up to the limit', () => {
    expect(fill(6, ['abc', 'def'])).toEqual({ head: 'abcdef', tail: '', omitted: 0, total: 6 });
  });

  it('keeps a quarter from the beginning and the rest from the end', () => {
    expect(fill(8, ['0123', '456789'])).toEqual({ head: '01', tail: '456789', omitted: 2, total: 10 });
  });

  it('cuts no character in two, loses nothing unseen and never exceeds the limit', () => {
    const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'é', '€', '🙂'), maxLength: 40 }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 4, max: 200 }), (texts, limit) => {
        const whole = texts.join('');
        const { head, tail, omitted, total } = fill(limit, texts);
        const bytes = Buffer.byteLength(whole);
        expect(total).toBe(bytes);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head + tail) + omitted).toBe(bytes);
        expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(limit);
        if (bytes <= limit) expect(head).toBe(whole);
        expect(head + tail).not.toContain('\uFFFD');
      }),
      { numRuns: 500 },
    );
  });

  it('needs no memory for each of many small writes', () => {
    const kept = new HeadAndTail(1024 * 1024);
    const byte = Buffer.from('x');
    for (let i = 0; i < 3_000_000; i++) kept.add(byte);
    const { head, tail, omitted } = kept.read();
    expect(head.length + tail.length).toBe(1024 * 1024);
    expect(omitted).toBe(3_000_000 - 1024 * 1024);
  });
});
