import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenize } from './command-line.ts';

const argv = (text: string) => {
  const line = tokenize(text);
  return line.ok ? line.argv : line.reason;
};

describe('command lines', () => {
  it('CMD-07 reads quotes and escapes as a shell does for plain words', () => {
    expect(argv(`a "b c" 'd e' f\\ g`)).toEqual(['a', 'b c', 'd e', 'f g']);
    expect(argv(String.raw`grep "\[x\]" f`)).toEqual(['grep', String.raw`\[x\]`, 'f']);
    expect(argv(String.raw`echo "a\"b\\c\$d"`)).toEqual(['echo', String.raw`a"b\c$d`]);
    expect(argv(`echo ""`)).toEqual(['echo', '']);
    expect(argv(`a'b'"c"d`)).toEqual(['abcd']);
    expect(argv('  a\t b  ')).toEqual(['a', 'b']);
  });

  it('CMD-01 leaves variables and globs as they are written', () => {
    expect(argv('echo $HOME')).toEqual(['echo', '$HOME']);
    expect(argv('ls *.ts')).toEqual(['ls', '*.ts']);
  });

  it.each([
    'a $(b)',
    'a | b',
    'a || b',
    'a ; b',
    'a < b',
    'a > b',
    'a `b`',
    'a & b',
    'a && b',
    'a\nb',
    'grep "a|b" f',
  ])('CMD-02 refuses %j', (text) => {
    expect(tokenize(text).ok).toBe(false);
  });

  it.each(['', '   ', '"open', "it's", 'a\\', 'A=1 B=2', 'a\0b'])('CMD-07 refuses %j', (text) => {
    expect(tokenize(text)).toMatchObject({ ok: false, reason: expect.any(String) });
  });

  it('CMD-08 turns leading assignments into environment', () => {
    expect(tokenize('A=1 B="x y" node x.js C=3')).toEqual({
      ok: true,
      env: { A: '1', B: 'x y' },
      argv: ['node', 'x.js', 'C=3'],
    });
    expect(argv('"A"=1 node')).toEqual(['A=1', 'node']);
    expect(argv('1A=1 node')).toEqual(['1A=1', 'node']);
  });

  it.each(['a (b)', 'a )', 'npm test # all of them', '#'])(
    'CMD-02 refuses %j, which a shell would not run',
    (text) => {
      expect(tokenize(text).ok).toBe(false);
    },
  );

  it('CMD-02 takes parentheses and hash signs inside words', () => {
    expect(argv('node -e "f()" a#b')).toEqual(['node', '-e', 'f()', 'a#b']);
  });

  it('CMD-07 agrees with a real shell on everything it accepts, and refuses the rest', () => {
    // Variables and globs stay literal by CMD-01, so no dollar sign, and a shell that expands no file names.
    const text = fc.string({
      unit: fc.constantFrom(...`ab "'\\%\t*?[]~=#!&|;<>()\n\`,:@^`.split('')),
      maxLength: 14,
    });
    fc.assert(
      fc.property(text, (words) => {
        const ours = tokenize(`x ${words}`);
        if (!ours.ok) return;
        expect(ours.argv).toEqual(wordsOfShell(`x ${words}`));
      }),
      { numRuns: 400 },
    );
  });
});

function wordsOfShell(words: string): string[] {
  const script = `set -f; printf '%s\\0' ${words}`;
  const output = execFileSync('/bin/sh', ['-c', script], {
    encoding: 'utf8',
    env: { HOME: '~' },
    stdio: 'pipe',
  });
  return output.split('\0').slice(0, -1);
}
