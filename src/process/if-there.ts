import { lstat, readdir } from 'node:fs/promises';
import { errorCode } from '../kernel/errors.ts';
import { readPlain } from './plain-file.ts';

/** Undefined where there is no such file; what is neither file nor folder is refused. */
export function readIfThere(file: string): Promise<string | undefined> {
  const read = async () => readPlain(file).toString('utf8');
  return orIfAbsent(read(), undefined);
}

/** The names in a folder; none where there is no such folder. */
export function namesIn(folder: string): Promise<string[]> {
  return orIfAbsent(readdir(folder), []);
}

/** Whether anything is there, a link that leads nowhere included. */
export async function isThere(path: string): Promise<boolean> {
  return (await orIfAbsent(lstat(path), undefined)) !== undefined;
}

const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EISDIR']);

/** What cannot be read for another reason, such as missing rights, stays an error. */
async function orIfAbsent<T, U>(read: Promise<T>, absent: U): Promise<T | U> {
  try {
    return await read;
  } catch (error) {
    if (ABSENT.has(errorCode(error) ?? '')) return absent;
    throw error;
  }
}
