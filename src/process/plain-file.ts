import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { errorCode, StorageError } from '../kernel/errors.ts';

/**
 * Files in folders that somebody else may have prepared: a clone, an agent, another user. A link would lead us out of
 * the folder, and opening a FIFO, a socket or a device would wait for ever or do something. So a name is opened
 * without following it and without waiting, and what was opened is looked at before a byte is read.
 */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a regular file for reading; the system's own error where there is none. */
export function openPlain(file: string, flags: number = READ, mode = 0o600): number {
  let fd: number;
  try {
    fd = openSync(file, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  } catch (error) {
    // A link; a socket, or a FIFO that nobody reads.
    const code = errorCode(error);
    if (code === 'ELOOP' || code === 'EMLINK') throw notPlain(file, 'a symbolic link', error);
    if (code === 'ENXIO' || code === 'EOPNOTSUPP') throw notPlain(file, 'a FIFO or a socket', error);
    throw error;
  }
  const stats = fstatSync(fd);
  if (stats.isFile()) return fd;
  closeSync(fd);
  if (stats.isDirectory()) throw Object.assign(new Error(`EISDIR: ${file} is a folder`), { code: 'EISDIR' });
  throw notPlain(file, kindOf(stats));
}

/** The content of a regular file; the system's own error where there is none. */
export function readPlain(file: string): Buffer {
  const fd = openPlain(file);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The text of a regular file; undefined where there is none. */
export function readPlainIfThere(file: string): string | undefined {
  try {
    return readPlain(file).toString('utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** What a name stands for, in words. */
export function kindOf(
  stats: Pick<Stats, 'isSymbolicLink' | 'isFIFO' | 'isSocket' | 'isDirectory' | 'isFile'>,
): string {
  if (stats.isSymbolicLink()) return 'a symbolic link';
  if (stats.isFIFO()) return 'a FIFO';
  if (stats.isSocket()) return 'a socket';
  if (stats.isDirectory()) return 'a folder';
  return stats.isFile() ? 'a file' : 'a device';
}

export function notPlain(path: string, kind: string, cause?: unknown): StorageError {
  return new StorageError(`${path} is ${kind}, which is neither followed nor opened.`, {
    next: `Look at who put it there, then remove it: rm '${path}'`,
    cause,
  });
}
