import { existsSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from '../../../kernel/errors.ts';

/** Moves a file of the project to the trash of a run, under its own path; an older one there is numbered away. */
export async function toTrash(root: string, path: string, trash: string): Promise<string> {
  const target = join(trash, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await makeRoom(target);
  await move(join(root, path), target);
  await dropEmptyFolders(root, dirname(path));
  return target;
}

async function makeRoom(target: string): Promise<void> {
  if (!existsSync(target)) return;
  for (let n = 1; ; n++) {
    if (existsSync(`${target}.${n}`)) continue;
    await rename(target, `${target}.${n}`);
    return;
  }
}

/** The state folder may be on another disk than the project. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EXDEV') throw error;
    await copyFile(from, to);
    await rm(from);
  }
}

/** Folders that only held what was moved were part of the addition. */
async function dropEmptyFolders(root: string, folder: string): Promise<void> {
  for (let path = folder; path !== '.'; path = dirname(path)) {
    try {
      await rmdir(join(root, path));
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return;
    }
  }
}
