import { expect, test } from 'vitest';
import { shellWord } from '../kernel/shell-word.ts';
import { selfCommand } from './self.ts';

test('a printed command begins with the words the person used', () => {
  expect(selfCommand('/usr/local/bin/loopwright', '/home/me')).toBe('loopwright');
  expect(selfCommand('/p/node_modules/.bin/loopwright', '/p')).toBe('npx loopwright');
  expect(selfCommand('/p/dist/bin/loopwright.js', '/p')).toBe('node dist/bin/loopwright.js');
  expect(selfCommand('/p q/loopwright.js', '/elsewhere')).toBe('node "/p q/loopwright.js"');
  expect(selfCommand(undefined, '/p')).toBe('loopwright');
});

test.each([
  ['plain-1.json', 'plain-1.json'],
  ['two words', '"two words"'],
  ['', '""'],
  ["it's", `"it's"`],
  ['$HOME `x`', "'$HOME `x`'"],
  [`"it's"`, `'"it'\\''s"'`],
])('shellWord(%j) is %s', (word, quoted) => {
  expect(shellWord(word)).toBe(quoted);
});
