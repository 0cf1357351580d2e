import { expect, test } from 'vitest';
import { readChoice } from './ask.ts';

test('a choice is taken by its number or its word, in any case', () => {
  expect(readChoice('2', ['left', 'right'])).toBe('right');
  expect(readChoice(' LEFT ', ['left', 'right'])).toBe('left');
  expect(readChoice('3', ['left', 'right'])).toBeUndefined();
  expect(readChoice('0', ['left', 'right'])).toBeUndefined();
  expect(readChoice('2', ['1', '2', '3'])).toBe('2');
});

test('without choices every text is an answer', () => {
  expect(readChoice('use the v2 API', [])).toBe('use the v2 API');
});
