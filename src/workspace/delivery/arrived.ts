import { randomBytes } from 'node:crypto';
import { copyFile, lstat, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';

interface Arriving {
  readonly path: string;
  /** Undefined when the file goes away. */
  readonly blob: string | undefined;
}

/**
 * The files of a delivery that lie in a checkout with their new content already. A kill while the checkout
 * followed leaves them there unknown to its index. As they are what is about to come, nothing is lost by
 * taking them for it.
 */
export async function arrivedFiles(git: BoundGit, from: string, to: string): Promise<string[]> {
  const { stdout } = await git.run(['diff-tree', '-r', '-z', '--no-renames', from, to]);
  const arriving = parseRaw(stdout).filter(({ path }) => !path.includes('\n'));
  const there: Arriving[] = [];
  const arrived: string[] = [];
  for (const file of arriving) {
    const kind = await kindOf(join(git.cwd, file.path));
    if (kind === 'file' && file.blob !== undefined) there.push(file);
    if (kind === 'nothing' && file.blob === undefined) arrived.push(file.path);
  }
  if (there.length > 0) {
    const input = there.map(({ path }) => `${path}\n`).join('');
    const blobs = (await git.out(['hash-object', '--stdin-paths'], { input })).split('\n');
    arrived.push(...there.filter(({ blob }, i) => blob === blobs[i]).map(({ path }) => path));
  }
  return arrived;
}

/** Tells an index that files are as they are on disk. */
export async function adoptFiles(git: BoundGit, paths: readonly string[]): Promise<void> {
  const input = paths.map((path) => `${path}\0`).join('');
  await git.run(['update-index', '--add', '--remove', '-z', '--stdin'], { input });
}

/** Tries something on a copy of a checkout's index. */
export async function onIndexCopy<T>(git: BoundGit, action: (trial: BoundGit) => Promise<T>): Promise<T> {
  const gitDir = await git.out(['rev-parse', '--absolute-git-dir']);
  const index = join(gitDir, 'index');
  const copy = join(gitDir, `loopwright-trial-${randomBytes(6).toString('hex')}`);
  try {
    await copyFile(index, copy);
    // An index that is dated later than it was written would be trusted too much.
    const date = Math.floor((await stat(index)).mtimeMs) / 1000;
    await utimes(copy, date, date);
    return await action(git.with({ GIT_INDEX_FILE: copy }));
  } finally {
    await rm(copy, { force: true });
  }
}

/** `:<old mode> <new mode> <old id> <new id> <letter>`, then the path; only plain files can have arrived. */
function parseRaw(text: string): Arriving[] {
  const fields = text.split('\0').values();
  const files: Arriving[] = [];
  for (const field of fields) {
    if (!field.startsWith(':')) continue;
    const [, mode = '', , blob] = field.split(' ');
    const path = fields.next().value ?? '';
    if (mode === '000000') files.push({ path, blob: undefined });
    else if (mode.startsWith('100')) files.push({ path, blob });
  }
  return files;
}

async function kindOf(path: string): Promise<'nothing' | 'file' | 'other'> {
  try {
    return (await lstat(path)).isFile() ? 'file' : 'other';
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return 'nothing';
    throw error;
  }
}
