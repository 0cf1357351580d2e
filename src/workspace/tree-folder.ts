import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, LoopwrightError } from '../kernel/errors.ts';

/** A folder inside a tree that stays the same folder while we work in it, whatever happens to its name. */
export interface TreeFolder {
  /** The path under which an entry of this very folder can be reached. */
  at(name: string): string;
  /** Opens a folder in it, making it when it is not there; refuses a symlink. */
  enter(name: string): Promise<TreeFolder>;
  /** Throws when the folder is no longer where it was found. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}

const FOLDER_ITSELF = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Linux: every step goes through the descriptor of the folder before it, so a name that is swapped for a
 * symlink in between leads nowhere. What this cannot prevent is a process that moves a real folder out of
 * the tree while we write into it; such a process could have written there itself.
 */
export async function anchoredFolder(root: string): Promise<TreeFolder> {
  return anchored(await open(root, constants.O_RDONLY | constants.O_DIRECTORY), root);
}

function anchored(handle: FileHandle, shown: string): TreeFolder {
  const at = (name: string) => `/proc/self/fd/${handle.fd}/${name}`;
  return {
    at,
    async enter(name) {
      const path = join(shown, name);
      await makeFolder(at(name));
      return anchored(await openFolder(at(name), path), path);
    },
    confirm: () => Promise.resolve(),
    close: () => handle.close(),
  };
}

/**
 * Elsewhere: folders are checked when they are entered and once more before the file takes its name. A
 * folder that is swapped for a symlink in between is noticed too late: the file, or the temporary one it is
 * first written to, can then end up where the symlink leads.
 */
export async function checkedFolder(root: string): Promise<TreeFolder> {
  const handle = await open(root, constants.O_RDONLY | constants.O_DIRECTORY);
  // The root itself may be reached through symlinks; that was the caller's choice.
  return checked(handle, root, () => stillThere(handle, root, stat));
}

function checked(handle: FileHandle, path: string, confirm: () => Promise<void>): TreeFolder {
  return {
    at: (name) => join(path, name),
    async enter(name) {
      const inner = join(path, name);
      await makeFolder(inner);
      const opened = await openFolder(inner, inner);
      const folder = checked(opened, inner, async () => {
        await confirm();
        await stillThere(opened, inner, lstat);
      });
      try {
        await folder.confirm();
      } catch (error) {
        await folder.close();
        throw error;
      }
      return folder;
    },
    confirm,
    close: () => handle.close(),
  };
}

async function stillThere(
  handle: FileHandle,
  path: string,
  look: (path: string) => Promise<Stats>,
): Promise<void> {
  const [held, named] = await Promise.all([handle.stat(), look(path)]);
  if (held.dev === named.dev && held.ino === named.ino) return;
  throw new LoopwrightError(`${path} was replaced while a file was being written in it`);
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

async function openFolder(path: string, shown: string): Promise<FileHandle> {
  try {
    return await open(path, FOLDER_ITSELF);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOTDIR' && code !== 'ELOOP') throw error;
    throw new LoopwrightError(`${shown} is a symlink or a file, not a folder (${code})`, { cause: error });
  }
}
