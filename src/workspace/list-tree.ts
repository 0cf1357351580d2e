import { readdir } from 'node:fs/promises';
import { BoundGit } from './git/bound-git.ts';
import { GitNotStartedError } from './git/git-error.ts';

/**
 * A path below a root, each character one byte: names on Linux need not be valid UTF-8, and one that was
 * decoded would not be found again.
 */
export type BytePath = string;

const OWN = new Set(['.git', '.loopwright']);
const NOT_SOURCE = new Set([...OWN, 'node_modules']);

export function fromRoot(root: string, path: BytePath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** All files that git would track; without git, all but what is plainly not source. */
export async function listTree(root: string): Promise<BytePath[]> {
  const listed = await listWithGit(root);
  // Git lists nothing in a folder that an outer repository ignores; that folder is still a tree of its own.
  return listed && listed.length > 0 ? listed : listByWalking(root, '');
}

/** Undefined outside a repository or without git. A repository inside is listed as one path. */
async function listWithGit(root: string): Promise<BytePath[] | undefined> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  try {
    const { code, stdout } = await new BoundGit(root).try(args, { encoding: 'latin1' });
    if (code !== 0) return undefined;
    const paths = stdout.split('\0').filter((path) => path !== '' && !OWN.has(firstName(path)));
    return [...new Set(paths.map((path) => path.replace(/\/$/, '')))];
  } catch (error) {
    if (error instanceof GitNotStartedError) return undefined;
    throw error;
  }
}

async function listByWalking(root: string, folder: BytePath): Promise<BytePath[]> {
  const entries = await readdir(fromRoot(root, folder), { withFileTypes: true, encoding: 'latin1' });
  const paths: BytePath[] = [];
  for (const entry of entries) {
    if (NOT_SOURCE.has(entry.name)) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...(await listByWalking(root, path)));
    else paths.push(path);
  }
  return paths;
}

function firstName(path: BytePath): string {
  return path.split('/', 1)[0] ?? '';
}
