import nodeFs, { constants, type Stats } from 'node:fs';
import { errorCode, StorageError } from '../kernel/errors.ts';

/**
 * Files in folders that somebody else may have prepared: a clone, an agent, another user. A link would lead us out of
 * the folder, and opening a FIFO, a socket or a device would wait for ever or do something. So a name is opened
 * without following it and without waiting, and what was opened is looked at before a byte is read or written.
 */
const NEVER_FOLLOWED = constants.O_NOFOLLOW | constants.O_NONBLOCK;

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_EXCL } = constants;
/** What a file is opened for, as the words of `fs` have it. */
const WAYS = {
  r: O_RDONLY,
  a: O_WRONLY | O_APPEND | O_CREAT,
  w: O_WRONLY | O_CREAT | O_TRUNC,
  wx: O_WRONLY | O_CREAT | O_EXCL,
} as const;

type PlainDisk = Pick<typeof nodeFs, 'openSync' | 'fstatSync' | 'closeSync' | 'readFileSync'>;

/** Opens a regular file; the system's own error where there is none. A new one is readable for us alone. */
export function openPlain(file: string, way: keyof typeof WAYS = 'r', disk: PlainDisk = nodeFs): number {
  const fd = opened(file, WAYS[way], disk);
  const stats = disk.fstatSync(fd);
  if (stats.isFile()) return fd;
  disk.closeSync(fd);
  if (stats.isDirectory()) throw Object.assign(new Error(`EISDIR: ${file} is a folder`), { code: 'EISDIR' });
  throw notPlain(file, kindOf(stats));
}

function opened(file: string, flags: number, disk: PlainDisk): number {
  try {
    return disk.openSync(file, flags | NEVER_FOLLOWED, 0o600);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ELOOP' || code === 'EMLINK') throw notPlain(file, 'a symbolic link', error);
    // Without somebody at its other end, or never to be opened by name.
    if (code === 'ENXIO' || code === 'EOPNOTSUPP')
      throw notPlain(file, 'a FIFO, a socket or a device', error);
    throw error;
  }
}

/** The content of a regular file; the system's own error where there is none. */
export function readPlain(file: string, disk: PlainDisk = nodeFs): Buffer {
  const fd = openPlain(file, 'r', disk);
  try {
    return disk.readFileSync(fd);
  } finally {
    disk.closeSync(fd);
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

/** The names of the regular files in a folder, sorted; none where there is no such folder. */
export function plainFilesIn(folder: string): string[] {
  const stats = nodeFs.lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return [];
  if (!stats.isDirectory()) throw notPlain(folder, kindOf(stats));
  const entries = nodeFs.readdirSync(folder, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}

type Kinds = Pick<Stats, 'isSymbolicLink' | 'isFIFO' | 'isSocket' | 'isDirectory' | 'isFile'>;

/** What a name stands for, in words. */
export function kindOf(stats: Kinds): string {
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
