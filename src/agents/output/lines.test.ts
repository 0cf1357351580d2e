import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineBuffer } from './lines.ts';
import { Tail } from './tail.ts';

describe('lines', () => {
  it('are whole whatever the cuts', () => {
    const pieces = fc.array(fc.constantFrom('\n', 'a', 'bc', '\r\n', ''), { maxLength: 40 });
    fc.assert(
      fc.property(pieces, (parts) => {
        const buffer = new LineBuffer();
        const lines = [...parts.flatMap((part) => buffer.push(part)), ...buffer.end()];
        const wanted = parts.join('').split(/\r?\n/);
        expect(lines).toEqual(wanted.at(-1) === '' ? wanted.slice(0, -1) : wanted);
      }),
    );
  });

  it('are bounded: of one that is too long the beginning stays, the next one is whole', () => {
    const buffer = new LineBuffer(10);
    expect([...buffer.push('0123456'), ...buffer.push('789abc'), ...buffer.push('def\nnext\n')]).toEqual([
      '0123456789',
      'next',
    ]);
  });
});

describe('the tail of a text', () => {
  it('is the end of it, bounded, and says that it is cut', () => {
    const tail = new Tail(1000);
    let all = '';
    for (let i = 0; i < 5000; i++) {
      tail.push(`${i}\n`);
      all += `${i}\n`;
    }
    expect(tail.read()).toBe(all.slice(-1000));
    expect(tail.cut).toBe(true);
    expect(tail.readLines()).toBe(all.slice(all.indexOf('\n', all.length - 1000) + 1));
  });

  it('is everything as long as that fits, and nothing after it was cleared', () => {
    const tail = new Tail(10);
    tail.push('12345');
    expect([tail.read(), tail.readLines(), tail.cut]).toEqual(['12345', '12345', false]);
    tail.clear();
    expect([tail.read(), tail.empty]).toEqual(['', true]);
  });

  it('of one endless line is its end', () => {
    const tail = new Tail(4);
    tail.push('abcdefgh');
    tail.push('ijk');
    expect(tail.readLines()).toBe('hijk');
  });
});
