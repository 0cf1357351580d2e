import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BoundGit } from '../git/bound-git.ts';
import { TestRepo } from '../git/testing.ts';
import { createTreeFingerprint } from '../tree-fingerprint.ts';
import { TooLargeError, withSizeLimit } from './too-large.ts';
import { TreeCheckpoints } from './tree-checkpoints.ts';

const GIB = 1024 ** 3;

/** 50 GB that take no room on the disk. */
function sparse(file: string): void {
  writeFileSync(file, '');
  truncateSync(file, 50 * GIB);
}

describe('a sparse file of 50 GB', () => {
  let repo: TestRepo;
  beforeEach(() => {
    repo = new TestRepo();
    repo.commit('start');
  });
  afterEach(() => repo.dispose());

  it('is named instead of holding up the checkpoint; ignored it is none of our business', async () => {
    sparse(join(repo.dir, 'disk.img'));
    const checkpoints = new TreeCheckpoints(repo.dir, 's');
    await expect(checkpoints.save(1)).rejects.toThrow(/^disk\.img is too large to be kept: /);
    repo.put('.gitignore', 'disk.img\n');
    await expect(checkpoints.save(1)).resolves.toMatchObject({ changed: ['.gitignore'] });
  });

  it('is known by its dates where files are only compared', async () => {
    sparse(join(repo.dir, 'disk.img'));
    const tree = createTreeFingerprint(repo.dir);
    const before = await tree.fingerprint();
    await expect(tree.fingerprint()).resolves.toBe(before);
    truncateSync(join(repo.dir, 'disk.img'), 51 * GIB);
    await expect(tree.fingerprint()).resolves.not.toBe(before);
  });
});

describe('the limit of a file', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'lw-large-'));
    mkdirSync(join(root, 'a/b'), { recursive: true });
    writeFileSync(join(root, 'a/b/c'), 'four');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const limits = { bytes: 3, afterMs: 0 };
  const endless = (signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

  it('is found wherever it lies, and ends what runs', async () => {
    await expect(withSizeLimit(root, async () => false, endless, limits)).rejects.toThrow(TooLargeError);
  });

  it('does not count for what is left out', async () => {
    const asked: string[] = [];
    const isLeftOut = async (path: string) => asked.push(path) > 0;
    let end = () => {};
    const done = withSizeLimit(
      root,
      isLeftOut,
      () => new Promise<void>((resolve) => (end = resolve)),
      limits,
    );
    await expect.poll(() => asked).toEqual(['a/b/c']);
    end();
    await expect(done).resolves.toBeUndefined();
  });

  it('ends a real git', async () => {
    const stop = AbortSignal.abort(new TooLargeError('x'));
    await expect(new BoundGit(root).try(['--version'], { signal: stop })).rejects.toThrow(TooLargeError);
  });
});
