import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, rename, rm } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { errorCode, LoopwrightError } from '../kernel/errors.ts';
import { checkRelativePath } from '../kernel/path-rules.ts';
import { anchoredFolder, checkedFolder, type TreeFolder } from './tree-folder.ts';

/** Writes one file inside a tree, or rejects and leaves the tree as it was. */
export type WriteFile = (root: string, absolutePath: string, content: string) => Promise<void>;

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const DEFAULT_MODE = 0o644;

/**
 * Invariants:
 * 1. Nothing outside the root is created or changed; on Linux also while other processes swap folders for symlinks.
 * 2. A reader sees the old file or the new one, never a part.
 * 3. An existing symlink, folder or device is never written to.
 * 4. A failure leaves nothing behind, except folders that had to be made.
 */
export const writeInTree: WriteFile =
  process.platform === 'linux' ? writingIn(anchoredFolder) : writingIn(checkedFolder);

export function writingIn(openRoot: (root: string) => Promise<TreeFolder>): WriteFile {
  return async (root, absolutePath, content) => {
    const path = relative(root, absolutePath).split(sep).join('/');
    const reason = checkRelativePath(path);
    if (reason !== undefined) throw new LoopwrightError(`the path ${JSON.stringify(path)} ${reason}`);
    const folders = path.split('/');
    const name = folders.pop() ?? '';
    const opened: TreeFolder[] = [];
    try {
      let folder = await openRoot(root);
      opened.push(folder);
      for (const step of folders) {
        folder = await folder.enter(step);
        opened.push(folder);
      }
      await replaceFile(folder, name, path, content);
    } finally {
      await Promise.all(opened.map((folder) => folder.close()));
    }
  };
}

async function replaceFile(folder: TreeFolder, name: string, path: string, content: string): Promise<void> {
  const mode = await modeFor(folder.at(name), path);
  const temporary = folder.at(`.loopwright-${randomBytes(8).toString('hex')}.tmp`);
  const file = await open(temporary, NEW_FILE, 0o600);
  try {
    try {
      await file.writeFile(content);
      await file.chmod(mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await folder.confirm();
    // Takes the name over from whatever has it by now; a symlink is replaced, not followed.
    await rename(temporary, folder.at(name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** An overwritten file keeps its permissions; anything that is not a plain file is refused. */
async function modeFor(target: string, path: string): Promise<number> {
  try {
    const existing = await lstat(target);
    if (existing.isFile()) return existing.mode & 0o777;
    const kind = existing.isSymbolicLink()
      ? 'a symlink'
      : existing.isDirectory()
        ? 'a folder'
        : 'a special file';
    throw new LoopwrightError(`${path} is ${kind}; only plain files are written`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return DEFAULT_MODE & ~process.umask();
    throw error;
  }
}
