import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkedFolder } from './tree-folder.ts';
import { type WriteFile, writeInTree, writingIn } from './tree-writer.ts';

let folder: string;
let root: string;
let outside: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lw-tree-'));
  root = join(folder, 'tree');
  outside = join(folder, 'outside');
  await mkdir(root);
  await mkdir(outside);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ways: [string, WriteFile][] = [
  ['with descriptors', writeInTree],
  ['with checks', writingIn(checkedFolder)],
];

describe.each(ways)('writing in a tree %s', (_, write) => {
  const writeTo = (path: string, content = 'new') => write(root, join(root, path), content);
  const leftovers = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => name.includes('.tmp'));

  it('WRK-19 makes folders and files', async () => {
    await writeTo('a/b/c.txt', 'héllo');
    expect(await readFile(join(root, 'a/b/c.txt'), 'utf8')).toBe('héllo');
    expect((await stat(join(root, 'a/b/c.txt'))).mode & 0o777).toBe(0o644 & ~process.umask());
    expect(await leftovers()).toEqual([]);
  });

  it('keeps the permissions of a file it replaces', async () => {
    await writeFile(join(root, 'run.sh'), 'old');
    await chmod(join(root, 'run.sh'), 0o755);
    await writeTo('run.sh');
    expect((await stat(join(root, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect(await readFile(join(root, 'run.sh'), 'utf8')).toBe('new');
  });

  it('does not write through a hard link', async () => {
    await writeFile(join(outside, 'shared'), 'old');
    await link(join(outside, 'shared'), join(root, 'shared'));
    await writeTo('shared');
    expect(await readFile(join(outside, 'shared'), 'utf8')).toBe('old');
  });

  it('works when the tree itself is reached through a symlink', async () => {
    await symlink('tree', join(folder, 'alias'));
    await write(join(folder, 'alias'), join(folder, 'alias', 'x/a'), 'new');
    expect(await readFile(join(root, 'x/a'), 'utf8')).toBe('new');
  });

  it.each(['link', 'link/inner', 'link/deep/inner', 'file-link', 'dead-link', 'inside-link/x'])(
    'WRK-15 refuses %s through a symlink',
    async (path) => {
      await writeFile(join(outside, 'target'), 'untouched');
      await mkdir(join(root, 'real'));
      await symlink('../outside', join(root, 'link'));
      await symlink('../outside/target', join(root, 'file-link'));
      await symlink('../outside/none', join(root, 'dead-link'));
      await symlink('real', join(root, 'inside-link'));
      await expect(writeTo(path)).rejects.toThrow(/symlink/);
      expect(await readdir(outside)).toEqual(['target']);
      expect(await readFile(join(outside, 'target'), 'utf8')).toBe('untouched');
      expect(await readdir(join(root, 'real'))).toEqual([]);
      expect(await leftovers()).toEqual([]);
    },
  );

  it.each(['../outside/x', '.git/config', '../tree2/x'])('WRK-15 refuses the path %s', async (path) => {
    await expect(writeTo(path)).rejects.toThrow(/the path/);
    expect(await readdir(folder, { recursive: true })).toEqual(
      expect.not.arrayContaining(['outside/x', 'tree/.git']),
    );
  });

  it('WRK-15 refuses folders and special files as target', async () => {
    await mkdir(join(root, 'dir'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    await expect(writeTo('dir')).rejects.toThrow('a folder');
    await expect(writeTo('pipe')).rejects.toThrow('a special file');
    await expect(writeTo('pipe/x')).rejects.toThrow('not a folder');
    expect((await lstat(join(root, 'pipe'))).isFIFO()).toBe(true);
  });

  it('WRK-18 tells the system error and leaves nothing behind', async () => {
    await expect(write(join(folder, 'gone'), join(folder, 'gone', 'a'), 'x')).rejects.toThrow('ENOENT');
    await expect(writeTo(`${'d/'.repeat(3)}a`, 'x')).resolves.toBeUndefined();
    expect(await leftovers()).toEqual([]);
  });
});

describe('writing in a tree while another process swaps a folder for a symlink', () => {
  let swapper: ChildProcess | undefined;
  afterEach(async () => {
    if (!swapper || swapper.exitCode !== null) return;
    const gone = once(swapper, 'exit');
    swapper.kill('SIGKILL');
    await gone;
  });

  it('WRK-15 nothing ever appears outside', { skip: process.platform !== 'linux' }, async () => {
    const program = fileURLToPath(new URL('../../test/fake-agents/swap-folder.mjs', import.meta.url));
    const swapped = join(root, 'swapped');
    await mkdir(swapped);
    await mkdir(join(outside, 'deep'));
    swapper = spawn(process.execPath, [program, swapped, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(swapper.stdout ?? swapper, 'data');
    const counts = { written: 0, refused: 0 };
    while (counts.written + counts.refused < 3000) {
      const path = join(root, 'swapped', counts.written % 2 ? 'file' : 'deep/file');
      const worked = await writeInTree(root, path, 'x').then(
        () => true,
        () => false,
      );
      if (worked) counts.written++;
      else counts.refused++;
    }
    expect(swapper.exitCode).toBeNull();
    // Both must have happened, or the two never met.
    expect(counts.written).toBeGreaterThan(0);
    expect(counts.refused).toBeGreaterThan(0);
    expect(await readdir(outside, { recursive: true })).toEqual(['deep']);
  });
});
