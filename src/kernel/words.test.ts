import { describe, expect, it, test } from 'vitest';
import { makeStyle } from '../cli/display/style.ts';
import { table } from '../cli/display/table.ts';
import { age, bytes, clip, duration, money, oneLine, plain } from './words.ts';

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [59_949, '59.9 s'],
  [59_999, '1m 00s'],
  [187_000, '3m 07s'],
  [7_500_000, '2h 05m'],
])('duration of %i ms is %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('age and bytes take the unit that fits', () => {
  expect([age(-5), age(59_000), age(120_000), age(7_200_000), age(4 * 86_400_000)]).toEqual([
    '0s ago',
    '59s ago',
    '2m ago',
    '2h ago',
    '4d ago',
  ]);
  expect([bytes(999), bytes(1000), bytes(999_999), bytes(5_300_000_000)]).toEqual([
    '999 B',
    '1.0 kB',
    '1.0 MB',
    '5.3 GB',
  ]);
});

test('text from outside cannot move the cursor', () => {
  const evil = 'a\u001b[2Jb\rc\u0007\nd\te';
  expect(oneLine(evil)).toBe('abc\\u0007 d e');
  expect(plain(evil)).toBe('abc\\u0007\nd\te');
});

test('clip cuts by letters, not by code units', () => {
  expect(clip('😀😀😀', 2)).toBe('😀…');
  expect(clip('abc', 3)).toBe('abc');
});

test('a table pads by what is seen, not by what is written', () => {
  const style = makeStyle(true);
  expect(
    table(['a', 'b'], [[{ text: 'xx', paint: style.green }, 'y']], {
      style: { ...style, dim: String },
      width: 80,
    }),
  ).toEqual(['a   b', '\u001b[32mxx\u001b[39m  y']);
});

describe('money', () => {
  it.each([
    [0, '0.00'],
    [0.00001, '<0.0001'],
    [0.0045, '0.0045'],
    [0.04, '0.04'],
    [0.125, '0.13'],
    [12, '12.00'],
  ])('%d is %s', (usd, words) => {
    expect(money(usd)).toBe(words);
  });
});
