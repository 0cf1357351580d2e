import { expect, test } from 'vitest';
import { size } from '../../kernel/text-width.ts';
import { makeStyle } from './style.ts';
import { table } from './table.ts';

const style = makeStyle(false);
const HEAD = ['session', 'status', 'work', 'at', 'goal'];
const ROW = [
  '01M7ABCDEFGHJKMNPQRSTVWXYZ',
  'halted',
  'delivered',
  'Core_Validate__RunTests',
  'make it green again',
];

test('a table that fits is one line per row, with ids as people type them', () => {
  expect(table(HEAD, [ROW], { style, width: Number.POSITIVE_INFINITY })).toEqual([
    'session  status  work       at                       goal',
    'TVWXYZ   halted  delivered  Core_Validate__RunTests  make it green again',
  ]);
});

test('in 60 columns what does not fit goes to a second line, and a long text is broken between words', () => {
  const long = 'add the endpoint for invoices, with tests for the empty list and for one that is too long';
  const lines = table(HEAD, [ROW, [...ROW.slice(0, 4), long]], { style, width: 60 });
  expect(lines).toEqual([
    'session  status  work       at',
    '  goal',
    'TVWXYZ   halted  delivered  Core_Validate__RunTests',
    '  make it green again',
    'TVWXYZ   halted  delivered  Core_Validate__RunTests',
    '  add the endpoint for invoices, with tests for the empty',
    '  list and for one that is too long',
  ]);
});

test.each([20, 40, 60, 80])('no line is wider than %i columns, and no word is lost', (width) => {
  const rows = [ROW, ['x', '', '', 'y'.repeat(90), 'a b c']];
  const lines = table(HEAD, rows, { style, width });
  for (const line of lines) expect(size(line)).toBeLessThanOrEqual(width);
  const letters = (texts: readonly string[]): string => texts.join('').replaceAll(' ', '');
  expect(letters(lines).length).toBe(letters([...HEAD, 'TVWXYZ', ...ROW.slice(1), ...rows[1]!]).length);
});

test('ids beside each other that end alike are told apart', () => {
  const lines = table(['task'], [['01M7ABCDEFGHJKMNPQRSTVWXYZ'], ['01M7ABCDEFGHJKMNPQZSTVWXYZ']], {
    style,
    width: 60,
  });
  expect(lines).toEqual(['task', 'RSTVWXYZ', 'ZSTVWXYZ']);
});
