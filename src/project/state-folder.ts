import { chmodSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../kernel/errors.ts';
import { kindOf, notPlain } from '../process/plain-file.ts';
import type { Place } from './place.ts';

const FOR_OTHERS = 0o077;

/**
 * Refuses a project whose folder of ours is not a folder, or has something in it that is neither file nor folder: what
 * is kept below is read, written and removed by names, and a link would lead all of that somewhere else.
 */
export function checkStateFolder({ folder }: Pick<Place, 'folder'>): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (!stats.isDirectory()) throw notPlain(folder, kindOf(stats));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() && !entry.isFile()) throw notPlain(join(folder, entry.name), kindOf(entry));
  }
}

/** What is kept there is for its owner alone: sessions hold code, answers and what programs printed. */
export function closeStateFolder({ folder }: Pick<Place, 'folder'>): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & FOR_OTHERS) === 0 || stats.uid !== process.getuid?.()) return;
  try {
    chmodSync(folder, 0o700);
  } catch (error) {
    // A file system that is read-only, or that keeps no modes, has no more to give.
    if (!['EROFS', 'EPERM', 'ENOTSUP'].includes(errorCode(error) ?? '')) throw error;
  }
}
