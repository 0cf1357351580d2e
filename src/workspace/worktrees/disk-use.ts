import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';

const BLOCK = 512;

/**
 * Bytes that removing a folder would free: blocks of files that have no other name outside it. Blocks shared by
 * copy-on-write cannot be told apart and count in full.
 */
export async function diskUse(folder: string): Promise<number> {
  const shared: Shared = new Map();
  const alone = await sum(folder, shared);
  let whole = 0;
  for (const { left, bytes } of shared.values()) if (left === 0) whole += bytes;
  return alone + whole;
}

type Shared = Map<string, { left: number; bytes: number }>;

async function sum(folder: string, shared: Shared): Promise<number> {
  let bytes = 0;
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      bytes += await sum(path, shared);
      continue;
    }
    const stats = await lstat(path).catch(ifGone);
    if (!stats) continue;
    const own = stats.blocks * BLOCK;
    if (stats.nlink === 1) bytes += own;
    else {
      const key = `${stats.dev}:${stats.ino}`;
      const known = shared.get(key) ?? { left: stats.nlink, bytes: own };
      shared.set(key, { ...known, left: known.left - 1 });
    }
  }
  return bytes;
}

async function entriesOf(folder: string) {
  return (await readdir(folder, { withFileTypes: true }).catch(ifGone)) ?? [];
}

/** A tree in use changes while it is counted. */
function ifGone(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}
