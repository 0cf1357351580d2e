import { expect, test } from 'vitest';
import { shortenIds, shortId } from './short-ids.ts';

const A = '01M7ABCDEFGHJKMNPQRSTVWXYZ';
const LIKE_A = '01M7ABCDEFGHJKMNPQRSAVWXYZ';
const B = '01M7ABCDEFGHJKMNPQRST00000';

test('an id is shown by its random end, longer where another one ends alike', () => {
  expect(shortId(A)).toBe('TVWXYZ');
  expect(shortId(A, [A, B])).toBe('TVWXYZ');
  expect(shortId('01M7ABCDEFGHJKMNPQRSTVWXYZ', ['01M7ABCDEFGHJKMNPQZSTVWXYZ'])).toBe('RSTVWXYZ');
  expect(shortId(LIKE_A, [A])).toBe('AVWXYZ');
  expect(shortId('demo')).toBe('demo');
});

test('a text keeps paths, refs and branches whole, and shortens ids that stand alone', () => {
  expect(shortenIds(`Session ${A} waits for ${B}.`)).toBe('Session TVWXYZ waits for T00000.');
  expect(shortenIds(`accept ${A} "${B}", (${A}): done`)).toBe('accept TVWXYZ "T00000", (TVWXYZ): done');
  for (const whole of [`refs/loopwright/${A}/held`, `.loopwright/sessions/${A}`, `${A}.json`, `x-${A}`])
    expect(shortenIds(whole)).toBe(whole);
});
