import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';
import { splitZ } from '../git/tree-diff.ts';

/** More than anybody reads. */
const MOST_NAMED = 20;

/** What a worktree held besides its tree when it was made ready. A type, so that it is a JSON value. */
export type BesideTree = {
  /** Files and whole folders that the tree did not have, from the top of the worktree. */
  readonly paths: readonly string[];
  /** When it was looked at, by this machine's clock. */
  readonly at: number;
};

/** What a folder holds that a tree does not: files that git ignores, repositories of their own, empty folders. */
export async function besideTree(git: BoundGit, tree: string, top: string): Promise<BesideTree> {
  const known = await pathsOf(git, tree);
  return { paths: [...outside(top, '', known)], at: Date.now() };
}

/**
 * Paths that are in the folder, not in the tree, and not as they were: whatever ran there may have used them. Who
 * changes a file cannot set the time of the change, so no list of contents is needed; what is named too often costs a
 * run, what is missed would cost the proof.
 */
export async function undelivered(
  git: BoundGit,
  { tree, top, from }: { readonly tree: string; readonly top: string; readonly from: string },
  before: BesideTree,
): Promise<string[]> {
  const known = await pathsOf(git, tree);
  const found = before.paths.filter((path) => statOf(join(top, path)) === undefined);
  for (const path of outside(top, '', known)) {
    if (found.length >= MOST_NAMED) break;
    collect({ top, from, at: before.at }, path, found);
  }
  return found;
}

interface Tracked {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
}

/** The contents of a submodule are not part of the tree that names it. */
async function pathsOf(git: BoundGit, tree: string): Promise<Tracked> {
  const { stdout } = await git.run(['ls-tree', '-r', '-z', '--full-tree', tree]);
  const files = splitZ(stdout).flatMap((line) =>
    line.startsWith('160000 ') ? [] : [line.slice(line.indexOf('\t') + 1)],
  );
  const folders = new Set<string>();
  for (const file of files)
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return { files: new Set(files), folders };
}

function* outside(top: string, folder: string, known: Tracked): Generator<string> {
  for (const entry of entriesOf(join(top, folder))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (path === '.git') continue;
    if (entry.isDirectory() && known.folders.has(path)) yield* outside(top, path, known);
    else if (!known.files.has(path)) yield path;
  }
}

interface Place {
  readonly top: string;
  /** The checkout from which files may have been linked in. */
  readonly from: string;
  readonly at: number;
}

function collect(place: Place, path: string, found: string[]): void {
  const stats = statOf(join(place.top, path));
  if (!stats || found.length >= MOST_NAMED) return;
  if (!stats.isDirectory()) {
    if (isNew(place, path, stats)) found.push(path);
    return;
  }
  const before = found.length;
  const names = entriesOf(join(place.top, path)).map(({ name }) => name);
  // Of a repository inside, its files say more than its own records.
  names.sort((a, b) => Number(a === '.git') - Number(b === '.git'));
  for (const name of names) collect(place, `${path}/${name}`, found);
  // A folder of which something was taken away is another one, though nothing in it is new.
  if (found.length === before && stats.ctimeMs > place.at) found.push(`${path}/`);
}

function isNew({ top, from, at }: Place, path: string, stats: Stats): boolean {
  if (stats.mtimeMs > at) return true;
  if (stats.ctimeMs <= at) return false;
  if (stats.nlink === 1 || from === top) return true;
  // One file with the checkout: another worktree that links it too changes its time, and nothing else of it.
  const own = statOf(join(from, path));
  return own?.ino !== stats.ino || own.dev !== stats.dev;
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
