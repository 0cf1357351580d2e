import { readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Of the folders that stand for groups of ours. */
export const PREFIX = 'loopwright-';
/** The file in such a folder that lists who is in it, and that whoever goes in is written to. */
export const MEMBERS = 'cgroup.procs';

/** The group that we are in ourselves; undefined where the system has none. */
export function findOwnGroup(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const mount = lines('/proc/self/mounts')
    .find((line) => line.split(' ')[2] === 'cgroup2')
    ?.split(' ')[1];
  const own = lines('/proc/self/cgroup')
    .find((line) => line.startsWith('0::'))
    ?.slice('0::'.length);
  if (mount === undefined || own === undefined) return undefined;
  const folder = join(mount, own);
  removeEmpty(folder);
  return folder;
}

/** With those of the groups in it: a child of ours may be loopwright itself. */
export function membersOf(folder: string): number[] {
  const own = lines(join(folder, MEMBERS)).map(Number);
  return [...own, ...groupsIn(folder).flatMap((group) => membersOf(group))];
}

function groupsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(folder, name));
}

export function removeFolder(folder: string): void {
  for (const group of groupsIn(folder)) removeFolder(group);
  try {
    rmdirSync(folder);
  } catch {
    // Whoever is left in it was named; the next process of ours tries again.
  }
}

/** Of owners that were killed before they could. */
function removeEmpty(folder: string): void {
  for (const group of groupsIn(folder)) {
    const owner = Number(basename(group).slice(PREFIX.length).split('-')[0]);
    try {
      process.kill(owner, 0);
    } catch {
      removeFolder(group);
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not ours to look into.
    return [];
  }
}

export function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    // Gone with its last member, or not shown to us.
    return [];
  }
}
