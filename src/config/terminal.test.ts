import { expect, test } from 'vitest';
import { terminalSettings } from './terminal.ts';

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  [true, { TERM: 'dumb' }, false],
])('terminal %s with %j: colour %s', (isTerminal, env, color) => {
  expect(terminalSettings(isTerminal, env).color).toBe(color);
});

test('LOOPWRIGHT_DEBUG shows where errors come from', () => {
  expect(terminalSettings(false, { LOOPWRIGHT_DEBUG: '1' }).debug).toBe(true);
  expect(terminalSettings(false, { LOOPWRIGHT_DEBUG: '0' }).debug).toBe(false);
});
