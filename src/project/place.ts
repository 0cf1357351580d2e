import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { NotFoundError } from '../kernel/errors.ts';

/** Where sessions and settings of a project live. */
export const FOLDER = '.loopwright';

/** Where a project is and where it keeps what. */
export interface Place {
  readonly dir: string;
  readonly folder: string;
  readonly sessions: string;
  readonly database: string;
}

/** The folder that was named; else the nearest one upwards that loopwright knows; else the current one. */
export function findPlace(named?: string, cwd: string = process.cwd()): Place {
  const dir = named === undefined ? (nearestKnown(cwd) ?? cwd) : resolve(cwd, named);
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    throw new NotFoundError(`There is no folder ${dir}.`, { next: 'Check the path of the project.' });
  }
  const folder = join(dir, FOLDER);
  return { dir, folder, sessions: join(folder, 'sessions'), database: join(folder, 'loopwright.db') };
}

function nearestKnown(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, FOLDER))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
