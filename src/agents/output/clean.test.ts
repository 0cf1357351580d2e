import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Cleaner, strip } from './clean.ts';

const ESC = '\u001b';
const BEL = '\u0007';
const ST = `${ESC}\\`;

describe('PTY-09 text without what is meant for a terminal', () => {
  it.each([
    ['colours', `${ESC}[31mRed ${ESC}[0m Plain`, 'Red  Plain'],
    ['the proof of the row', `${ESC}[31mRed${ESC}[0m Plain`, 'Red Plain'],
    ['cursor movements', `a${ESC}[2K${ESC}[1;5Hb${ESC}[?25lc`, 'abc'],
    [
      'blanks that are only moved over',
      `I${ESC}[Cwill${ESC}[1Cwrite${ESC}[3Cit${ESC}[?1C!`,
      'I will write   it!',
    ],
    ['a title that ends with BEL', `${ESC}]0;title${BEL}text`, 'text'],
    ['a title that ends with ST', `${ESC}]0;title${ST}text`, 'text'],
    ['a link', `${ESC}]8;;https://example.org${ST}here${ESC}]8;;${ST}!`, 'here!'],
    ['device control', `a${ESC}P1$r0m\nx${ST}b`, 'ab'],
    [
      'application command, privacy message, start of string',
      `1${ESC}_a${ST}2${ESC}^b${ST}3${ESC}Xc${ST}4`,
      '1234',
    ],
    ['single escapes', `${ESC}7a${ESC}8b${ESC}=c${ESC}cd`, 'abcd'],
    ['character sets', `${ESC}(Ba${ESC}#8b`, 'ab'],
    ['eight-bit sequences', '\u009b31mRed\u009b0m \u009d0;t\u009cx\u0085y', 'Red xy'],
    ['control characters', 'a\u0000b\u0008c\u007fd\te\nf', 'abcd\te\nf'],
    ['a wrapped title of tmux', `a${ESC}Ptmux;${ESC}${ESC}]52;c;eA==${BEL}${ESC}\\b`, 'ab'],
    ['an escape that breaks off another', `a${ESC}[12${ESC}[1mb`, 'ab'],
    ['a cancelled sequence', `a${ESC}[12\u0018b${ESC}]0;x\u001ac`, 'abc'],
    ['a sequence that text breaks off', `a${ESC}[12äb${ESC}ü`, 'aäbü'],
    ['nothing', '', ''],
  ])('%s', (_, raw, clean) => {
    expect(strip(raw)).toBe(clean);
  });

  it.each([
    ['line ends of Windows and of terminals', 'a\r\nb\r\r\nc', 'a\nb\nc'],
    ['progress that overwrites itself', '\r10 %\r20 %\r\n', '10 %\n20 %\n'],
    ['a return before an erased line', `old\r${ESC}[Knew`, 'old\nnew'],
    ['a return at the start of a line', 'a\n\rb', 'a\nb'],
    ['a return at the end', 'a\r', 'a'],
  ])('carriage returns: %s', (_, raw, clean) => {
    expect(strip(raw)).toBe(clean);
  });

  it('a title never swallows the next line, half a badly encoded quotation mark neither', () => {
    expect(strip(`a${ESC}]0;never ended\nb`)).toBe('a\nb');
    expect(strip('said \u00e2\u0080\u009dthis\nb\u0098c\nd')).toBe('said \u00e2\nb\nd');
  });

  it('a sequence that never ends is given up, so that text after it is seen', () => {
    const cleaner = new Cleaner();
    let clean = cleaner.push(`a${ESC}P`);
    for (let i = 0; i < 64; i++) clean += cleaner.push('\n'.repeat(1024));
    expect(clean).toBe('a');
    expect(cleaner.push('b')).toBe('b');
  });

  it('is linear in the length of what never ends', () => {
    const cleaner = new Cleaner();
    const piece = `${ESC}]0;`.repeat(1000);
    for (let i = 0; i < 250; i++) expect(cleaner.push(piece)).toBe('');
  });

  const introducers = [ESC, `${ESC}[`, `${ESC}]`, `${ESC}P`, '\u009b', '\u009d', '\u009f'];
  const terminators = [ST, BEL, '\u009c', '\u0018', 'm', 'C', '\r', '\n', '\r\n'];
  const fragments = [...introducers, ...terminators, '[', ']', ';', '3', '?', '(', '\\', '\0', 'ä🙂'];
  const fragment = fc.constantFrom(...fragments);
  const raw = fc.array(fc.oneof(fragment, fc.string({ unit: 'binary', maxLength: 5 })), { maxLength: 60 });

  it('is the same however the text is cut', () => {
    fc.assert(
      fc.property(raw, fc.array(fc.nat(200), { maxLength: 12 }), (parts, cuts) => {
        const text = parts.join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const cleaner = new Cleaner();
        const pieces = places.slice(1).map((end, i) => cleaner.push(text.slice(places[i], end)));
        expect(pieces.join('')).toBe(strip(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves no control character but tab and line feed, and plain text as it is', () => {
    fc.assert(
      fc.property(raw, (parts) => {
        // oxlint-disable-next-line no-control-regex -- these are what must not be left
        expect(strip(parts.join(''))).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
      { numRuns: 1000 },
    );
    const plain = 'päßt\tscho\n🙂';
    expect(strip(plain)).toBe(plain);
  });
});
