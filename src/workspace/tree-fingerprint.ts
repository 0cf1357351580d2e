import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type KnownHashes, readEntry } from './content-hash.ts';
import { type BytePath, fromRoot, listTree } from './list-tree.ts';

export interface TreeFingerprint {
  /** Equal for equal files, whatever their dates; different as soon as one file differs. */
  fingerprint(): Promise<string>;
}

/** More than Node has threads for files gains little. */
const AT_ONCE = 16;

/**
 * Identifies the files that git would track, tracked or not yet. Repeated calls only read what has changed
 * since the last one.
 */
export function createTreeFingerprint(root: string): TreeFingerprint {
  let known: KnownHashes = new Map();
  return {
    async fingerprint() {
      const fresh: KnownHashes = new Map();
      const lines = await linesOf(root, '', known, fresh);
      known = fresh;
      return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
    },
  };
}

/** One line for each file; for a repository inside the tree, the lines of its own files. */
async function linesOf(
  root: string,
  folder: BytePath,
  known: KnownHashes,
  fresh: KnownHashes,
): Promise<string[]> {
  const paths = await listTree(folder === '' ? root : fromRoot(root, folder).toString());
  const lines: string[] = [];
  await inLanes(paths, async (listed) => {
    const path = folder + listed;
    const entry = await readEntry(root, path, known, fresh);
    if (!entry) return;
    if (entry.kind !== 'folder') lines.push(JSON.stringify([path, entry.kind, entry.content]));
    else if (existsSync(fromRoot(root, `${path}/.git`))) {
      lines.push(...(await linesOf(root, `${path}/`, known, fresh)));
    }
  });
  return lines;
}

async function inLanes<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
