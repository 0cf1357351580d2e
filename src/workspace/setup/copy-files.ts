import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import picomatch from 'picomatch';
import { errorCode } from '../../kernel/errors.ts';
import { checkRelativePath } from '../../kernel/path-rules.ts';
import { addCopied } from './copied-list.ts';

export interface CopyRequest {
  /** The checkout that has the files. */
  readonly from: string;
  /** The worktree, and its private git directory for the list of what was copied. */
  readonly to: string;
  readonly gitDir: string;
  /** Paths and globs relative to both. A folder means everything in it. */
  readonly patterns: readonly string[];
}

export interface CopyReport {
  readonly copied: readonly string[];
  /** Patterns that matched nothing. */
  readonly missing: readonly string[];
  readonly refused: readonly { readonly path: string; readonly reason: string }[];
}

const NEVER_SEARCHED = new Set(['.git', '.loopwright', 'node_modules']);

/** Brings untracked files such as `.env` along. What is in the worktree already stays as it is. */
export async function copyFiles(request: CopyRequest): Promise<CopyReport> {
  const copied: string[] = [];
  const missing: string[] = [];
  const refused: { path: string; reason: string }[] = [];
  const wanted = new Set<string>();
  for (const pattern of request.patterns) {
    const reason = checkRelativePath(pattern.replace(/\/$/, ''));
    if (reason !== undefined) refused.push({ path: pattern, reason });
    else {
      const found = await matches(request.from, pattern.replace(/\/$/, ''));
      if (found.length === 0) missing.push(pattern);
      for (const path of found) wanted.add(path);
    }
  }
  await addCopied(request.gitDir, await newIn(request.to, wanted));
  for (const path of wanted) {
    const reason = await copyOne(request, path);
    if (reason === undefined) copied.push(path);
    else refused.push({ path, reason });
  }
  return { copied, missing, refused };
}

async function matches(root: string, pattern: string): Promise<string[]> {
  if (picomatch.scan(pattern).isGlob) {
    const fits = picomatch(pattern, { dot: true });
    return (await filesBelow(root, '')).filter((path) => fits(path));
  }
  const kind = await kindOf(join(root, pattern), stat);
  if (kind === 'folder') return filesBelow(root, `${pattern}/`);
  return kind === 'file' ? [pattern] : [];
}

async function filesBelow(root: string, folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory()) {
      if (!NEVER_SEARCHED.has(entry.name)) found.push(...(await filesBelow(root, `${path}/`)));
    } else if (entry.isFile() || entry.isSymbolicLink()) found.push(path);
  }
  return found.sort();
}

/** Only what the worktree does not have is ours to leave out of its changes later. */
async function newIn(root: string, paths: Iterable<string>): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if ((await kindOf(join(root, path), lstat)) === undefined) found.push(path);
  return found;
}

/** The reason why not, or undefined. */
async function copyOne({ from, to }: CopyRequest, path: string): Promise<string | undefined> {
  const reason = checkRelativePath(path);
  if (reason !== undefined) return reason;
  // A link stands for the file it leads to: relative ones would lead elsewhere from the worktree.
  if ((await kindOf(join(from, path), stat)) !== 'file') return 'is no file, or a link that leads to none';
  const target = join(to, path);
  await mkdir(dirname(target), { recursive: true });
  const home = await realpath(to);
  if (!`${await realpath(dirname(target))}${sep}`.startsWith(`${home}${sep}`)) {
    return 'would be written through a link out of the worktree';
  }
  try {
    await copyFile(join(from, path), target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    return undefined;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'is in the worktree already';
    throw error;
  }
}

async function kindOf(path: string, look: typeof stat): Promise<'file' | 'folder' | 'other' | undefined> {
  try {
    const stats = await look(path);
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}
