import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rename, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTreeFingerprint } from './tree-fingerprint.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lw-print-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { stdio: 'ignore' });
const put = (path: string, content: string) => writeFile(join(root, path), content);

describe.each([
  ['a git repository', () => void git('init', '-q')],
  ['a plain folder', () => {}],
])('the fingerprint of %s', (_, prepare) => {
  beforeEach(async () => {
    prepare();
    await put('a.txt', 'one');
    await mkdir(join(root, 'src'));
    await put('src/b.txt', 'two');
  });

  it('changes with a file’s content, also of the same length and date', async () => {
    const tree = createTreeFingerprint(root);
    const before = await tree.fingerprint();
    const date = new Date(1_000_000);
    await utimes(join(root, 'a.txt'), date, date);
    expect(await tree.fingerprint()).toBe(before);
    await put('a.txt', 'six');
    await utimes(join(root, 'a.txt'), date, date);
    expect(await tree.fingerprint()).not.toBe(before);
  });

  it('notices every one of many quick changes', async () => {
    const tree = createTreeFingerprint(root);
    const seen = new Set<string>();
    for (let i = 100; i < 200; i++) {
      await put('a.txt', String(i));
      seen.add(await tree.fingerprint());
    }
    expect(seen.size).toBe(100);
  });

  it('does not change when the same content is written again', async () => {
    const tree = createTreeFingerprint(root);
    const before = await tree.fingerprint();
    await put('a.txt', 'one');
    expect(await tree.fingerprint()).toBe(before);
    expect(await createTreeFingerprint(root).fingerprint()).toBe(before);
  });

  it('changes with new, renamed, deleted and linked files and with the right to execute', async () => {
    const tree = createTreeFingerprint(root);
    const seen = [await tree.fingerprint()];
    const after = async (change: Promise<unknown>) => {
      await change;
      seen.push(await tree.fingerprint());
    };
    await after(put('new.txt', ''));
    await after(rename(join(root, 'new.txt'), join(root, 'newer.txt')));
    await after(chmod(join(root, 'a.txt'), 0o755));
    await after(symlink('a.txt', join(root, 'link')));
    await after(unlink(join(root, 'link')).then(() => symlink('b.txt', join(root, 'link'))));
    await after(unlink(join(root, 'a.txt')));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('leaves out loopwright’s own state and is blind to nothing else', async () => {
    const before = await createTreeFingerprint(root).fingerprint();
    await mkdir(join(root, '.loopwright'));
    await put('.loopwright/state', 'x');
    expect(await createTreeFingerprint(root).fingerprint()).toBe(before);
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), 'odd name');
    expect(await createTreeFingerprint(root).fingerprint()).not.toBe(before);
  });

  it('reads large files too', async () => {
    await put('large', 'x'.repeat(3_000_000));
    const tree = createTreeFingerprint(root);
    const before = await tree.fingerprint();
    await put('large', `${'x'.repeat(2_999_999)}y`);
    expect(await tree.fingerprint()).not.toBe(before);
  });
});

describe('the fingerprint in git', () => {
  it('does not depend on what is staged or committed', async () => {
    git('init', '-q');
    await put('a.txt', 'one');
    const tree = createTreeFingerprint(root);
    const before = await tree.fingerprint();
    git('add', '.');
    expect(await tree.fingerprint()).toBe(before);
    git('-c', 'user.name=n', '-c', 'user.email=e@x', 'commit', '-qm', 'm');
    expect(await tree.fingerprint()).toBe(before);
  });

  it('leaves out what git ignores', async () => {
    git('init', '-q');
    await put('.gitignore', 'dist\n');
    const before = await createTreeFingerprint(root).fingerprint();
    await mkdir(join(root, 'dist'));
    await put('dist/out', 'x');
    expect(await createTreeFingerprint(root).fingerprint()).toBe(before);
  });

  it('looks into a repository inside', async () => {
    git('init', '-q');
    await mkdir(join(root, 'inner'));
    execFileSync('git', ['-C', join(root, 'inner'), 'init', '-q']);
    await put('inner/a', 'one');
    const before = await createTreeFingerprint(root).fingerprint();
    await put('inner/a', 'two');
    expect(await createTreeFingerprint(root).fingerprint()).not.toBe(before);
  });

  it('sees a folder that an outer repository ignores', async () => {
    git('init', '-q');
    await put('.gitignore', 'work\n');
    await mkdir(join(root, 'work'));
    await put('work/a', 'one');
    const inner = createTreeFingerprint(join(root, 'work'));
    const before = await inner.fingerprint();
    await put('work/a', 'two');
    expect(await inner.fingerprint()).not.toBe(before);
  });
});
