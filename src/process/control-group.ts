import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A child and all that it has started, kept together by the system or by a wall. */
export interface Kin {
  members(): ReadonlySet<number>;
  /** When nobody is left. */
  remove(): void;
}

/**
 * A group of the system's that a child and everything it ever starts is in, whatever they do to their environment,
 * session or parent. Linux with control groups of version 2, where we may make one below our own; elsewhere there is
 * none. A process of the same user that knows of it can leave it.
 */
export class ControlGroup implements Kin {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static open(): ControlGroup | undefined {
    const home = ownGroup();
    if (home === undefined) return undefined;
    made += 1;
    const folder = join(home, `${PREFIX}${process.pid}-${made}`);
    try {
      mkdirSync(folder);
      return new ControlGroup(folder);
    } catch {
      // Not ours to divide: remembered, so that it is not tried for every child.
      ownHome = { folder: undefined };
      return undefined;
    }
  }

  /**
   * Starts a child in the group. We go into it and come back, within one turn: a child that were moved later could have
   * started others by then.
   */
  start<T>(spawn: () => T): T {
    const isIn = enter(this.#folder);
    try {
      return spawn();
    } finally {
      if (isIn && !enter(dirname(this.#folder))) ownHome = { folder: undefined };
    }
  }

  members(): ReadonlySet<number> {
    return new Set(membersOf(this.#folder));
  }

  /** Nothing is in it any more; a survivor keeps it. */
  remove(): void {
    removeFolder(this.#folder);
  }
}

/** We ourselves; false where we may not. */
function enter(folder: string): boolean {
  try {
    writeFileSync(join(folder, 'cgroup.procs'), '0');
    return true;
  } catch {
    return false;
  }
}

/** With those of the groups in it: a child of ours may be loopwright itself. */
function membersOf(folder: string): number[] {
  const own = lines(join(folder, 'cgroup.procs')).map(Number);
  return [...own, ...groupsIn(folder).flatMap((group) => membersOf(group))];
}

function groupsIn(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => join(folder, name));
}

function removeFolder(folder: string): void {
  for (const group of groupsIn(folder)) removeFolder(group);
  try {
    rmdirSync(folder);
  } catch {
    // Whoever is left in it was named; the next process of ours tries again.
  }
}

const PREFIX = 'loopwright-';
let made = 0;
let ownHome: { readonly folder: string | undefined } | undefined;

/** Whether a process was started in one of our groups, whoever its parent is by now. */
export function isInOurGroup(pid: number): boolean {
  return lines(`/proc/${pid}/cgroup`).some((line) => line.includes(`/${PREFIX}${process.pid}-`));
}

/** Whether children can be kept together here; tried by really making a group. */
export function hasControlGroups(): boolean {
  const group = ControlGroup.open();
  group?.remove();
  return group !== undefined;
}

function ownGroup(): string | undefined {
  ownHome ??= { folder: findOwnGroup() };
  return ownHome.folder;
}

function findOwnGroup(): string | undefined {
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

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    // Gone with its last member, or not shown to us.
    return [];
  }
}
