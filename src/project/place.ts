import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { commandLine } from '../cli/self.ts';
import { UsageError } from '../kernel/errors.ts';

/** Where sessions and settings of a project live. */
export const FOLDER = '.loopwright';

/** The folder a command is about, and how to name it in a command that a person pastes. */
export interface Project {
  readonly dir: string;
  readonly folder: string;
  readonly sessions: string;
  command(...words: readonly string[]): string;
}

/** The folder that was named; else the nearest one upwards that loopwright knows; else the current one. */
export function findProject(named?: string, cwd: string = process.cwd()): Project {
  const usual = nearestKnown(cwd) ?? cwd;
  const dir = named === undefined ? usual : resolve(cwd, named);
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    throw new UsageError(`There is no folder ${dir}.`, { next: 'Check what you gave as --dir.' });
  }
  const folder = join(dir, FOLDER);
  const where = dir === usual ? [] : ['--dir', dir];
  return {
    dir,
    folder,
    sessions: join(folder, 'sessions'),
    command: (...words) => commandLine(...words, ...where),
  };
}

function nearestKnown(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, FOLDER))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
