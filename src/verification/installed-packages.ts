import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../kernel/errors.ts';

/** Where a project keeps what it has installed; git ignores them, so no change shows what is done there. */
const FOLDERS = ['node_modules', '.venv', 'venv'];
/** What tools write there by themselves while they run. */
const OWN_OF_TOOLS =
  /(?:^|\/)(?:\.cache|\.vite|\.vite-temp|\.vitest|__pycache__|\.pytest_cache|\.package-lock\.json|\.modules\.yaml|\.yarn-state\.yml)(?:\/|$)|\.pyc$/;
const MOST_NAMED = 20;

/**
 * Files of installed packages that were written after a moment. The time of a change cannot be set by who makes it; a
 * file with several names gets a new one by each of them, so there only the time of writing counts.
 */
export function packagesWrittenSince(root: string, since: number): string[] {
  const found: string[] = [];
  for (const folder of FOLDERS) walk(root, folder, since, found);
  return found;
}

function walk(root: string, path: string, since: number, found: string[]): void {
  for (const entry of entriesOf(join(root, path))) {
    if (found.length >= MOST_NAMED) return;
    const below = `${path}/${entry.name}`;
    if (OWN_OF_TOOLS.test(below)) continue;
    if (entry.isDirectory()) walk(root, below, since, found);
    else if ((entry.isFile() || entry.isSymbolicLink()) && isWritten(join(root, below), since))
      found.push(below);
  }
}

function isWritten(file: string, since: number): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return false;
  return stats.mtimeMs > since || (stats.nlink === 1 && stats.ctimeMs > since);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return [];
  }
}
