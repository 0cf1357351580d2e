import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';

/** The folders below a root with a number that changes whenever a name in one of them does; none where there is no root. */
export function foldersWithin(root: string): string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}

/**
 * Tells whether anything that is told of a session may have changed: its small file is replaced, which changes the
 * folder, and its newest journal grows.
 */
export function stampOf(folder: string, epoch: number): string {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats) return '';
  const journal = statSync(join(folder, `journal.${epoch}.jsonl`), { throwIfNoEntry: false });
  return `${stats.mtimeMs}:${stats.ino}:${journal?.size ?? 0}`;
}
