import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { errorCode, errorMessage } from '../kernel/errors.ts';
import type { ArtifactFile } from '../manifest/worker.ts';

const MAX_BYTES = 256 * 1024;

/** `root` is a real path. Only files inside it are read, even when a link leads to them from inside. */
export async function readInTree(root: string, path: string): Promise<ArtifactFile> {
  const wanted = resolve(root, path);
  const absent: ArtifactFile = { path, exists: false };
  if (!isInside(root, wanted)) return absent;
  try {
    const real = await realpath(wanted);
    if (!isInside(root, real)) return absent;
    return { path, exists: true, ...(await readCapped(real)) };
  } catch (error) {
    const code = errorCode(error) ?? '';
    return MISSING.has(code) ? absent : { path, exists: true, unreadable: errorMessage(error) };
  }
}

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ELOOP']);

async function readCapped(file: string): Promise<Omit<ArtifactFile, 'path' | 'exists'>> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await handle.stat()).isFile()) return { unreadable: 'it is not a regular file' };
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    return cappedBytes(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** As much of a text as a worker is shown of a file. */
export function capped(content: string): Pick<ArtifactFile, 'content' | 'truncated'> {
  return cappedBytes(Buffer.from(content));
}

function cappedBytes(bytes: Buffer): Pick<ArtifactFile, 'content' | 'truncated'> {
  if (bytes.length <= MAX_BYTES) return { content: bytes.toString('utf8') };
  return { content: `${bytes.toString('utf8', 0, MAX_BYTES)}\n[truncated]`, truncated: true };
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}
