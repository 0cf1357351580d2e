import { expect, test } from 'vitest';
import { differences } from './simulate.ts';

test('as expected, or without an expectation, there is no difference', () => {
  const actual = { status: 'completed', path: ['A', 'B'] };
  expect(differences(undefined, actual)).toEqual([]);
  expect(differences({ status: 'completed', path: ['A', 'B'] }, actual)).toEqual([]);
});

test('both paths stand side by side and the differing steps are marked', () => {
  expect(differences({ path: ['A', 'B', 'C'] }, { status: 'halted', path: ['A', 'X'] })).toEqual([
    'path:',
    '       expected  got',
    '    1  A         A',
    '✗   2  B         X',
    '✗   3  C         -',
  ]);
});
