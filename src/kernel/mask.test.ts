import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMasker } from './mask.ts';

describe('masking secrets', () => {
  it('replaces every occurrence, the longest secret first', () => {
    const masker = createMasker(['abcdefgh', 'abcdefgh-long']);
    expect(masker.mask('x abcdefgh-long y abcdefgh z')).toBe('x *** y *** z');
    expect(masker.contains('..abcdefgh..')).toBe(true);
    expect(masker.contains('..abcdefg..')).toBe(false);
  });

  it('leaves values under 8 characters alone', () => {
    expect(createMasker(['true', '1234567']).mask('true 1234567')).toBe('true 1234567');
  });

  it('takes the characters of a secret literally', () => {
    expect(createMasker(['a.b*c(d)[e]$']).mask('a.b*c(d)[e]$ aXb*c(d)[e]$')).toBe('*** aXb*c(d)[e]$');
  });

  it('masks the lines of a key file that is printed with other line ends', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBg\n-----END KEY-----';
    expect(createMasker([key]).mask('got MIIEvQIBADANBg\r\n')).toBe('got ***\r\n');
  });

  it.each([
    ['a quote', 'pass"word"1', ['pass\\"word\\"1', 'pass\\u0022word\\u00221']],
    ['a backslash', 'corp\\user-pw', ['corp\\\\user-pw']],
    ['a slash', 'abc/def/ghi', ['abc\\/def\\/ghi']],
    [
      'letters beyond ASCII',
      'grüße-🔑-k',
      ['gr\\u00fc\\u00dfe-\\ud83d\\udd11-k', 'gr\\u00FC\\u00DFe-\\uD83D\\uDD11-k'],
    ],
    [
      'signs of HTML',
      'a<b>&c=12+3',
      ['a\\u003cb\\u003e\\u0026c=12+3', 'a\\u003Cb\\u003E\\u0026c=12\\u002B3'],
    ],
    ['a line break', 'first\nsecond', ['first\\nsecond']],
  ])('knows a secret with %s as JSON writes it', (_, secret, written) => {
    const masker = createMasker([secret]);
    for (const form of [secret, ...written]) {
      expect(masker.mask(`{"a":"<${form}>"}`)).toBe('{"a":"<***>"}');
    }
    // JSON inside a text of other JSON, as agents report what their tools printed.
    const nested = JSON.stringify({ said: JSON.stringify({ key: secret }) });
    expect(masker.mask(nested)).toBe(JSON.stringify({ said: '{"key":"***"}' }));
  });

  it('gives ordinary text at once and holds back only a possible beginning', () => {
    const stream = createMasker(['secret-value']).stream();
    expect(stream.push('hello')).toBe('hello');
    expect(stream.push(' sec')).toBe(' ');
    expect(stream.push('ond secret-val')).toBe('second ');
    expect(stream.masked).toBe(false);
    expect(stream.push('ue!')).toBe('***!');
    expect(stream.masked).toBe(true);
    expect(stream.end()).toBe('');
  });

  it('gives the same text for any split as for the whole', () => {
    // Few letters make overlaps, shared beginnings and secrets inside secrets frequent; some are escaped in JSON.
    const letters = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 8, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', '\\', '/', 'ü'), minLength: 8, maxLength: 10 }),
    );
    const escaped = letters.map((text) => JSON.stringify(text).slice(1, -1).replaceAll('ü', '\\u00fc'));
    const scenario = fc.record({
      secrets: fc.array(letters, { minLength: 1, maxLength: 4 }),
      pieces: fc.array(
        fc.oneof(letters, escaped, fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 5 })),
      ),
    });
    fc.assert(
      fc.property(scenario, ({ secrets, pieces }) => {
        const masker = createMasker(secrets);
        const stream = masker.stream();
        const streamed = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
        const whole = pieces.join('');
        expect(streamed).toBe(masker.mask(whole));
        expect(stream.masked).toBe(masker.contains(whole));
      }),
      { numRuns: 2000 },
    );
  });
});
