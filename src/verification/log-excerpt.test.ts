import { expect, test } from 'vitest';
import { logExcerpt } from './log-excerpt.ts';

const noise = (n: number, what = 'ok') => Array.from({ length: n }, (_, i) => `${what} ${i + 1}`);

test('a short log stays whole, without its colours', () => {
  expect(logExcerpt('\u001b[31mnot ok\u001b[39m 1 - adds\n  expected 2\n')).toBe(
    'not ok 1 - adds\n  expected 2',
  );
});

test('of a long one the beginning, the end and the lines that name a failure stay', () => {
  const cut = logExcerpt(
    [...noise(100, 'begin'), 'not ok 101 - adds', ...noise(200), 'TypeError: x', ...noise(100, 'end')].join(
      '\n',
    ),
  );
  expect(cut).toMatch(/^begin 1\n/);
  expect(cut).toMatch(/\nend 100$/);
  expect(cut).toContain(
    '[... 85 lines left out ...]\nnot ok 101 - adds\n[... 200 lines left out ...]\nTypeError: x\n',
  );
  expect(cut.split('\n').length).toBeLessThan(80);
});

test('it never grows beyond its size, whatever the lines are', () => {
  const wide = logExcerpt(noise(500, 'x'.repeat(5000)).join('\n'));
  expect(wide.length).toBeLessThan(13_000);
  expect(wide).toContain('characters left out');
});
