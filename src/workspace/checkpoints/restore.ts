import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, LoopwrightError } from '../../kernel/errors.ts';
import { type BoundGit, explained } from '../git/bound-git.ts';
import { changedPaths, splitZ } from '../git/tree-diff.ts';
import { listKept } from './checkpoint-list.ts';
import { headCommit, writeOwnCommit } from './commit.ts';
import type { PrivateIndex } from './private-index.ts';
import { asideRef, sessionRefs } from './ref-names.ts';

export interface Restored {
  readonly commit: string;
  readonly tree: string;
  /** Paths that were added, changed or removed on disk. */
  readonly changed: readonly string[];
  /** Where the files that were there before are kept, when nothing else names them. */
  readonly aside?: { readonly ref: string; readonly commit: string };
  readonly nested: readonly string[];
}

/**
 * Puts the files on disk to a tree. Only paths that differ are touched, and git refuses, before it touches
 * any, when one of them changes under its hands.
 */
export async function restoreTree(
  index: PrivateIndex,
  session: string,
  target: { readonly commit: string; readonly tree: string },
): Promise<Restored> {
  const { git } = index;
  const wanted = await git.out(['rev-parse', '--verify', target.tree]);
  await index.stage();
  await includeOverwritten(index, wanted);
  const current = await git.out(['write-tree']);
  const report = { commit: target.commit, tree: wanted, nested: index.nested };
  if (current === wanted) return { ...report, changed: [] };
  const changed = await changedPaths(git, current, wanted);
  const aside = await keepAside(git, session, current);
  await replaceFiles(git, current, wanted);
  return { ...report, changed, ...(aside ? { aside } : {}) };
}

/** An ignored file in the way of one that comes back is work too: it goes into what is kept aside. */
async function includeOverwritten(index: PrivateIndex, wanted: string): Promise<void> {
  const { git } = index;
  const current = await git.out(['write-tree']);
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', '--diff-filter=A', current, wanted];
  const added = splitZ((await git.run(args)).stdout);
  const inTheWay = [...new Set((await Promise.all(added.map((path) => obstacles(git, path)))).flat())];
  for (const path of inTheWay) if (await index.excluded.has(path)) throw excludedInTheWay(git.cwd, path);
  if (inTheWay.length === 0) return;
  const input = inTheWay.map((path) => `${path}\0`).join('');
  await git.run(['update-index', '--add', '-z', '--stdin'], { input });
}

/** Undefined when the tree is named already, by a ref of the session or by HEAD. */
async function keepAside(git: BoundGit, session: string, tree: string): Promise<Restored['aside']> {
  const kept = await listKept(git, session);
  if (kept.some((other) => other.tree === tree)) return undefined;
  const head = await headCommit(git);
  if (head !== undefined && (await git.out(['rev-parse', `${head}^{tree}`])) === tree) return undefined;
  const prefix = `${sessionRefs(session)}/aside/`;
  const numbers = kept.map(({ ref }) => (ref.startsWith(prefix) ? Number(ref.slice(prefix.length)) : 0));
  const ref = asideRef(session, Math.max(0, ...numbers) + 1);
  const commit = await writeOwnCommit(git, {
    tree,
    parents: head === undefined ? [] : [head],
    subject: `loopwright: files of session ${session} before a restore`,
    trailers: { 'Loopwright-Session': session },
  });
  await git.run(['update-ref', ref, commit]);
  return { ref, commit };
}

async function replaceFiles(git: BoundGit, current: string, wanted: string): Promise<void> {
  const args = ['-c', 'core.fsmonitor=false', 'read-tree', '-m', '-u', current, wanted];
  const outcome = await git.try(args);
  if (outcome.code === 0) return;
  const error = await explained(git.cwd, args, outcome);
  if (!/not uptodate|would be overwritten|would lose untracked/i.test(outcome.stderr)) throw error;
  throw new LoopwrightError(
    `The files of ${git.cwd} were being changed while they were restored: ${outcome.stderr.trim()}`,
    { next: 'Stop whatever writes there and try again. No file was touched.', cause: error },
  );
}

function excludedInTheWay(top: string, path: string): LoopwrightError {
  return new LoopwrightError(
    `${path} in ${top} was put there by setup, and the checkpoint has a file of the same name.`,
    { next: `Move ${path} away and try again. No file was touched.` },
  );
}

/** The files on disk that a new file at this path would replace: itself, a file above it, a folder's content. */
async function obstacles(git: BoundGit, path: string): Promise<string[]> {
  const names = path.split('/');
  for (let depth = 1; depth <= names.length; depth++) {
    const at = names.slice(0, depth).join('/');
    const kind = await kindOf(join(git.cwd, at));
    if (kind === 'nothing') return [];
    if (kind === 'file') return [at];
  }
  const { stdout } = await git.run(['ls-files', '-o', '-z', '--', `:(top,literal)${path}`]);
  return splitZ(stdout).filter((other) => !other.endsWith('/'));
}

async function kindOf(path: string): Promise<'nothing' | 'file' | 'folder'> {
  try {
    return (await lstat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return 'nothing';
    throw error;
  }
}
