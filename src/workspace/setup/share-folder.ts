import { constants } from 'node:fs';
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { checkRelativePath } from '../../kernel/path-rules.ts';
import { isThere } from '../../process/if-there.ts';
import { addCopied } from './copied-list.ts';

export interface ShareRequest {
  readonly from: string;
  readonly to: string;
  readonly gitDir: string;
  /** Relative to both, such as `node_modules`. */
  readonly folder: string;
}

/**
 * clone   copy-on-write: blocks are shared, a write on either side stays there
 * link    hard links: files are shared, so a write *into* a file (not a replacement of it) shows on both sides
 * none    nothing was done; the setup commands have to install
 */
export type ShareReport =
  | {
      readonly how: 'clone' | 'link';
      readonly folder: string;
      readonly files: number;
    }
  /** `there`: the worktree has it, so nothing is missing. */
  | { readonly how: 'none'; readonly folder: string; readonly reason: string; readonly there?: true };

/**
 * Gives a worktree the dependency folder of the checkout at nearly no cost of disk. Hard links are used for
 * `node_modules` alone, whose files package managers replace and never write into; what tools do write into
 * there (top-level dot folders, `.cache`) is copied. A tool that patches a package in place is neither
 * prevented nor noticed. Never a symlink: a tool would follow it into the checkout.
 */
export async function shareFolder(request: ShareRequest): Promise<ShareReport> {
  const { folder } = request;
  const none = (reason: string) => ({ how: 'none', folder, reason }) as const;
  const refusal = checkRelativePath(folder);
  if (refusal !== undefined) return none(`"${folder}" ${refusal}`);
  const [source, target] = [join(request.from, folder), join(request.to, folder)];
  if (!(await isFolder(source))) return none(`the checkout has no folder ${folder}`);
  if (await isThere(target)) return { ...none(`the worktree has ${folder} already`), there: true };
  const partial = join(dirname(folder), `.${basename(folder)}.partial`);
  await addCopied(request.gitDir, [folder, partial]);
  const draft = join(request.to, partial);
  await rm(draft, { recursive: true, force: true });
  await mkdir(dirname(draft), { recursive: true });
  const how = await bestWay(source, draft, basename(folder) === 'node_modules');
  if (how === undefined) return none('the file system can neither clone files nor, safely, link them');
  try {
    const files = await shareTree(source, draft, how, 0);
    await rename(draft, target);
    return { how, folder, files };
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

type Way = 'clone' | 'link' | 'copy';

async function shareTree(source: string, target: string, way: Way, depth: number): Promise<number> {
  await mkdir(target);
  let files = 0;
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    const inner: Way = way === 'link' && isWrittenInPlace(entry.name, depth) ? 'copy' : way;
    if (entry.isDirectory()) files += await shareTree(from, to, inner, depth + 1);
    else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
    else if (entry.isFile()) {
      await shareFile(from, to, inner);
      files += 1;
    }
  }
  await chmod(target, (await lstat(source)).mode);
  return files;
}

async function shareFile(from: string, to: string, way: Way): Promise<void> {
  if (way === 'link') await link(from, to);
  else await copyFile(from, to, way === 'clone' ? constants.COPYFILE_FICLONE : 0);
}

/** State of managers and tools, not content of packages. */
function isWrittenInPlace(name: string, depth: number): boolean {
  return name === '.cache' || (depth === 0 && name.startsWith('.') && name !== '.pnpm');
}

/** Tried with a real file of the folder: only that tells what both sides together can do. */
async function bestWay(
  source: string,
  draft: string,
  mayLink: boolean,
): Promise<'clone' | 'link' | undefined> {
  const sample = await firstFile(source);
  if (sample === undefined) return 'clone';
  const probe = `${draft}.probe`;
  const works = async (attempt: () => Promise<void>): Promise<boolean> => {
    try {
      await attempt();
      return true;
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return false;
    } finally {
      await rm(probe, { force: true });
    }
  };
  if (await works(() => copyFile(sample, probe, constants.COPYFILE_FICLONE_FORCE))) return 'clone';
  return mayLink && (await works(() => link(sample, probe))) ? 'link' : undefined;
}

async function firstFile(folder: string): Promise<string | undefined> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) return path;
    const inner = entry.isDirectory() ? await firstFile(path) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

async function isFolder(path: string): Promise<boolean> {
  return (await isThere(path)) && (await lstat(path)).isDirectory();
}
