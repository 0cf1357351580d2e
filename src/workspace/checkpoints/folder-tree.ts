import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { checkRelativePath } from '../../kernel/path-rules.ts';
import type { BoundGit } from '../git/bound-git.ts';
import { splitZ } from '../git/tree-diff.ts';

/** Half-written files and sockets of the process that owns the folder are nobody else's. */
const PASSING = /\.(?:tmp|sock)$|^\.claim\./;
const AT_ONCE = 8;

/** Stores the plain files of a folder byte by byte, whatever filters are configured; gives the tree's id. */
export async function writeFolder(git: BoundGit, gitDir: string, folder: string): Promise<string> {
  const paths = await plainFiles(folder);
  const input = paths.map((path) => `${join(folder, path)}\n`).join('');
  const ids = await git.out(['hash-object', '-w', '--no-filters', '--stdin-paths'], { input });
  const blobs = ids.split('\n');
  const index = join(gitDir, `loopwright-folder-${randomBytes(6).toString('hex')}`);
  const own = git.with({ GIT_INDEX_FILE: index });
  try {
    const entries = paths.map((path, i) => `100644 ${blobs[i]}\t${path}\0`).join('');
    await own.run(['update-index', '-z', '--index-info'], { input: entries });
    return await own.out(['write-tree']);
  } finally {
    await rm(index, { force: true });
  }
}

/** Makes a folder with the files of a tree, private to the user. It appears complete or not at all. */
export async function readFolder(git: BoundGit, gitDir: string, tree: string, folder: string): Promise<void> {
  const draft = `${folder}.draft-${randomBytes(6).toString('hex')}`;
  await clearDrafts(folder);
  await mkdir(join(draft, 'logs'), { recursive: true, mode: 0o700 });
  await chmod(draft, 0o700);
  // With its own directory named, git unpacks into the folder it is started in.
  const unpacker = git.in(draft).with({ GIT_DIR: gitDir });
  const entries = splitZ((await git.run(['ls-tree', '-r', '-z', tree])).stdout).values();
  const lane = async () => {
    for (const entry of entries) {
      const [, , blob = ''] = entry.slice(0, entry.indexOf('\t')).split(' ');
      const path = entry.slice(entry.indexOf('\t') + 1);
      // The tree came over the network: a name in it must not lead out of the folder.
      if (checkRelativePath(path) !== undefined) continue;
      const unpacked = await unpacker.out(['unpack-file', blob]);
      await mkdir(dirname(join(draft, path)), { recursive: true, mode: 0o700 });
      await rename(join(draft, unpacked), join(draft, path));
      await chmod(join(draft, path), 0o600);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  await rename(draft, folder);
}

async function clearDrafts(folder: string): Promise<void> {
  const home = dirname(folder);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const prefix = `${relative(home, folder)}.draft-`;
  const left = (await readdir(home)).filter((name) => name.startsWith(prefix));
  await Promise.all(left.map((name) => rm(join(home, name), { recursive: true, force: true })));
}

async function plainFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && !PASSING.test(entry.name) && !/\p{Cc}/u.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return paths.sort();
}
