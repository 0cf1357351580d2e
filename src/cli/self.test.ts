import { expect, test } from 'vitest';
import { selfCommand, shellWord, withOurCommands } from './self.ts';

test('a printed command begins with the words the person used', () => {
  expect(selfCommand('/usr/local/bin/loopwright', '/home/me')).toBe('loopwright');
  expect(selfCommand('/p/node_modules/.bin/loopwright', '/p')).toBe('npx loopwright');
  expect(selfCommand('/p/dist/bin/loopwright.js', '/p')).toBe('node dist/bin/loopwright.js');
  expect(selfCommand('/p q/loopwright.js', '/elsewhere')).toBe('node "/p q/loopwright.js"');
  expect(selfCommand(undefined, '/p')).toBe('loopwright');
});

test('a command inside a text is the one the person can paste', () => {
  const said = (text: string, ...args: string[]) =>
    withOurCommands(text, ['node', '/p/dist/bin/loopwright.js', ...args], '/p');
  expect(said('List them with `loopwright sessions`.', 'show')).toBe(
    'List them with `node dist/bin/loopwright.js sessions`.',
  );
  expect(said('Look: `loopwright show X`, or `loopwright demo`.', 'show', '--dir', '/a b')).toBe(
    'Look: `node dist/bin/loopwright.js show X --dir "/a b"`, or `node dist/bin/loopwright.js demo`.',
  );
  expect(said('Write one with: loopwright init --force', '--dir=x')).toBe(
    'Write one with: node dist/bin/loopwright.js init --force --dir x',
  );
  expect(said('Update loopwright, then run `npm test`.', '--dir', 'x')).toBe(
    'Update loopwright, then run `npm test`.',
  );
  expect(withOurCommands('See `loopwright --help`.', ['node', '/usr/bin/loopwright'], '/')).toBe(
    'See `loopwright --help`.',
  );
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
