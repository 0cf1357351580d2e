import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compareSnapshots, takeSnapshot } from './take-snapshot.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'lw-snap-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (path: string, content = 'x', under = root) => {
  mkdirSync(dirname(join(under, path)), { recursive: true });
  writeFileSync(join(under, path), content);
};
const seen = (dir = root) => [...takeSnapshot(dir).files.keys()].sort();

describe('a snapshot of a folder', () => {
  it('RUN-16 tells changed, added and removed files apart', () => {
    for (const path of ['a', 'c', 'src/same']) put(path);
    const before = takeSnapshot(root);
    put('a', 'longer');
    put('src/b');
    rmSync(join(root, 'c'));
    expect(compareSnapshots(before, takeSnapshot(root))).toEqual({
      changed: ['a'],
      added: ['src/b'],
      removed: ['c'],
    });
  });

  it('RUN-14 sees an edit of equal size by its new date', () => {
    put('a', 'one');
    utimesSync(join(root, 'a'), 1000, 1000.25);
    const before = takeSnapshot(root);
    put('a', 'two');
    utimesSync(join(root, 'a'), 1000, 1000.5);
    expect(compareSnapshots(before, takeSnapshot(root)).changed).toEqual(['a']);
    expect(before.files.get('a')).toEqual({ mtimeMs: 1_000_250, size: 3 });
  });

  it('RUN-14 leaves out products and our own state at any depth', () => {
    for (const name of ['node_modules', '.git', 'dist', 'build', '.next', 'coverage', '.loopwright']) {
      put(`${name}/x`);
      put(`packages/p/${name}/x`);
    }
    put('packages/p/.git-keep');
    put('tools/build', 'a file of that name is source');
    expect(seen()).toEqual(['packages/p/.git-keep', 'tools/build']);
  });

  it('RUN-14 follows no link, so loops are harmless', () => {
    put('real/a');
    symlinkSync('..', join(root, 'real', 'up'));
    symlinkSync('itself', join(root, 'itself'));
    symlinkSync('real/a', join(root, 'link-to-file'));
    expect(seen()).toEqual(['real/a']);
  });

  it('RUN-14 honours the repository’s private list and the rules above the folder', () => {
    put('.git/info/exclude', 'private.txt\n');
    put('.gitignore', 'sub/gone.txt\n/only-here.txt\n');
    for (const path of ['private.txt', 'sub/private.txt', 'sub/gone.txt', 'sub/only-here.txt']) put(path);
    expect(seen()).toEqual(['.gitignore', 'sub/only-here.txt']);
    expect(seen(join(root, 'sub'))).toEqual(['only-here.txt']);
  });

  it('names what it could not look at, and needs its root', () => {
    put('closed/a');
    chmodSync(join(root, 'closed'), 0);
    const { unread } = takeSnapshot(root);
    chmodSync(join(root, 'closed'), 0o700);
    expect(unread).toEqual(process.getuid?.() === 0 ? [] : ['closed']);
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x62, 0xff])]), 'x');
    expect(takeSnapshot(root).unread).toEqual(['b\uFFFD']);
    expect(() => takeSnapshot(join(root, 'nowhere'))).toThrow(/ENOENT/);
  });
});

describe('RUN-14 the rules of .gitignore', () => {
  const PATHS = [
    'a.log',
    'b.txt',
    'keep.log',
    'logs/a.log',
    'logs/deep/c.txt',
    'src/a.log',
    'src/gen/x.js',
    'src/gen/keep.js',
    'src/foo/bar.txt',
    'foo/bar.txt',
    'foo/baz/bar.txt',
    'x/foo/bar.txt',
    '#hash',
    '!bang',
    'tail ',
    'A.LOG',
    'doc/frotz/a.txt',
    'a/doc/frotz/b.txt',
    'file[1].txt',
    'file1.txt',
    'ü/ß.log',
  ];

  const asGitSees = () => {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const text = execFileSync('git', args, { cwd: root, encoding: 'utf8', env });
    return text
      .split('\0')
      .filter((path) => path !== '')
      .sort();
  };
  const prepare = () => {
    execFileSync('git', ['init', '-q'], { cwd: root });
    for (const path of PATHS) put(path);
  };

  it.each([
    ['extensions and negation', { '.gitignore': '*.log\n!keep.log\n' }],
    ['a negation that comes before', { '.gitignore': '!keep.log\n*.log\n' }],
    ['a folder that is ignored cannot be reached into', { '.gitignore': 'logs/\n!logs/a.log\n' }],
    ['a folder’s content that is ignored can', { '.gitignore': 'logs/*\n!logs/a.log\n' }],
    ['nested files that take back', { '.gitignore': '*.js\n', 'src/gen/.gitignore': '!keep.js\n' }],
    ['nested files that add', { 'src/.gitignore': '/gen\n*.log\n' }],
    ['anchored and unanchored', { '.gitignore': '/foo\n' }],
    ['a slash in the middle anchors', { '.gitignore': 'doc/frotz\n' }],
    ['a trailing slash means folders', { '.gitignore': 'b.txt/\nfoo/\n' }],
    ['double stars', { '.gitignore': '**/foo/bar.txt\nsrc/**/x.js\nlogs/**\n' }],
    ['escapes and blanks', { '.gitignore': '\\#hash\n\\!bang\ntail\\ \n# b.txt\n\n' }],
    ['a trailing blank is not part of the name', { '.gitignore': 'b.txt   \n' }],
    ['classes and questions', { '.gitignore': 'file[0-9].txt\n?.log\n' }],
    ['an escaped class', { '.gitignore': 'file\\[1\\].txt\n' }],
    ['case matters', { '.gitignore': 'a.log\n' }],
    ['line ends of Windows', { '.gitignore': '*.log\r\nb.txt\r\n' }],
    ['everything but', { '.gitignore': '/*\n!/src\n!/.gitignore\nsrc/gen\n' }],
    [
      'its own folder of rules',
      { '.gitignore': 'foo/**\n!foo/baz/\n', 'x/.gitignore': '*\n!foo\n!bar.txt\n' },
    ],
  ] as [string, { [file: string]: string }][])('are git’s: %s', (_, rules) => {
    prepare();
    for (const [file, text] of Object.entries(rules)) put(file, text);
    expect(seen()).toEqual(asGitSees());
  });

  it('are git’s for any few lines', () => {
    prepare();
    const part = fc.constantFrom(
      '*',
      '**',
      '*.log',
      '*.txt',
      'foo',
      'src',
      'logs',
      'gen',
      'bar.txt',
      'a.*',
      '?.log',
      'keep.*',
      'x',
      'src/*',
      'l*',
      '*r.txt',
      'k[a-f]*p.log',
    );
    const line = fc
      .tuple(
        fc.constantFrom('', '!'),
        fc.constantFrom('', '/'),
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', '/'),
      )
      .map(([not, start, parts, end]) => `${not}${start}${parts.join('/')}${end}`);
    const text = fc.array(line, { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);
    fc.assert(
      fc.property(text, text, (top, inner) => {
        put('.gitignore', top);
        put('src/.gitignore', inner);
        expect(seen()).toEqual(asGitSees());
      }),
      { numRuns: 150 },
    );
  });
});
