import { join, normalize } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkRelativePath } from './path-rules.ts';

describe('paths inside a tree', () => {
  it.each([
    'a.ts',
    'src/a.ts',
    './src/a.ts',
    'a/./b',
    '.gitignore',
    '.github/workflows/ci.yml',
    'docs/.gitkeep',
    'git/a',
    'a~',
    'x/~/y',
    '...',
    'a..b/c..d',
    'Übung/日本語.md',
    'emoji 🙂.txt',
    'with space/and "quotes".txt',
    'a／b',
  ])('WRK-15 %j is allowed', (path) => {
    expect(checkRelativePath(path)).toBeUndefined();
  });

  it.each([
    ['', 'empty'],
    ['.', 'names a folder'],
    ['./.', 'names a folder'],
    ['a/', 'names a folder'],
    ['/etc/passwd', 'absolute'],
    ['//x', 'absolute'],
    ['C:/x', 'absolute'],
    ['c:x', 'absolute'],
    ['\\\\host\\share', 'backslash'],
    ['a\\b', 'backslash'],
    ['~/x', 'home'],
    ['~root/x', 'home'],
    ['..', '".."'],
    ['../x', '".."'],
    ['a/../../x', '".."'],
    ['a/..', '".."'],
    ['a//b', 'empty name'],
    ['a\0b', 'control'],
    ['a\nb', 'control'],
    ['a\u0085b', 'control'],
    ['a\ud800b', 'half a character'],
    ['x'.repeat(256), 'longer than 255'],
    ['é'.repeat(128), 'longer than 255'],
    ['ab/'.repeat(400).slice(0, -1), 'longer than 1024'],
  ])('WRK-15 %j is refused', (path, reason) => {
    expect(checkRelativePath(path)).toContain(reason);
  });

  it.each([
    '.git/config',
    'sub/.git/hooks/pre-commit',
    '.git',
    '.GIT/config',
    '.Git/x',
    '.g\u200cit/config',
    '.\u200bgit/config',
    '\ufeff.git/config',
    '.git\u00ad/config',
    '.git./config',
    '.git ./config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    'git~1',
    '\uff0egit/config',
    '.\uff47it/config',
    '.ｇｉｔ/config',
    '.\u{1d420}\u{1d422}\u{1d42d}/config',
    '.loopwright/sessions/x',
    '.LoopWright/config.json',
    '.loop\u2060wright/x',
    'LOOPWR~1/x',
  ])('WRK-15 %j is reserved', (path) => {
    expect(checkRelativePath(path)).toMatch(/reserved/);
  });

  it.each(['\u2025/x', '\uff0e\uff0e/x', 'a/.\u200b./x', '\uff0e\uff0e\uff0fx', 'a\uff0f..\uff0f..\uff0fx'])(
    'WRK-15 %j leads upwards in disguise',
    (path) => {
      expect(checkRelativePath(path)).toContain('".."');
    },
  );

  it('WRK-15 an allowed path never leaves the tree it is joined to', () => {
    const piece = fc.oneof(
      fc.constantFrom('..', '.', '', '.git', '~', 'C:', '\\', '/', '\0', '\u200b', ' '),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom('/', '', '\\'), (pieces, glue) => {
        const path = pieces.join(glue);
        if (checkRelativePath(path) !== undefined) return;
        const joined = join('/tree', path);
        expect(joined.startsWith('/tree/')).toBe(true);
        expect(normalize(joined)).toBe(joined);
        expect(joined.split('/').some((name) => name.toLowerCase() === '.git')).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});
