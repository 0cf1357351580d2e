import { posix } from 'node:path';
import picomatch from 'picomatch';
import known from './generated-paths.json' with { type: 'json' };

const FOLDERS = new Set(known.folders);
const FILES = picomatch(known.files, { dot: true });
const CACHES = new Set(known.caches.folders);
const CACHE_FILES = picomatch(known.caches.files, { dot: true });
const LIKELY_EXTENSIONS = new Set(known.likely.extensions);
const LIKELY_FOLDERS = new Set(known.likely.folders);

/** Products of tools by their place or name, which are no change that anybody made. */
export function isGenerated(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((folder) => FOLDERS.has(folder)) || FILES(posix.basename(path));
}

/** What nobody writes by hand: losing it is losing no work. */
export function isCache(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return folders.some((folder) => CACHES.has(folder)) || CACHE_FILES(posix.basename(path));
}

/** Looks like a product of a run: good enough to be undone and remembered, not to be dropped unseen. */
export function isLikelyGenerated(path: string): boolean {
  const folders = path.split('/').slice(0, -1);
  return LIKELY_EXTENSIONS.has(posix.extname(path)) || folders.some((folder) => LIKELY_FOLDERS.has(folder));
}

/** The source that a compiler made this file of, if it is such a file: `a.js` and `a.d.ts` of `a.ts`. */
export function sourcesOf(path: string): string[] {
  const stem = /^(.*)(?:\.d\.[cm]?ts|\.[cm]?jsx?)$/.exec(path)?.[1];
  return stem === undefined ? [] : ['.ts', '.tsx', '.mts', '.cts'].map((extension) => stem + extension);
}
