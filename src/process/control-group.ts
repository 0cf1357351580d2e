import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { findOwnGroup, lines, MEMBERS, membersOf, PREFIX, removeFolder } from './control-group-files.ts';

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
    if (home.folder === undefined) return undefined;
    made += 1;
    const folder = join(home.folder, `${PREFIX}${process.pid}-${made}`);
    try {
      mkdirSync(folder);
      return new ControlGroup(folder);
    } catch {
      // Not ours to divide: remembered, so that it is not tried for every child.
      forgetOwnGroup();
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
      if (isIn && !leave()) forgetOwnGroup();
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
    const members = openSync(join(folder, MEMBERS), 'w');
    try {
      return writeSync(members, OURSELVES) > 0;
    } finally {
      closeSync(members);
    }
  } catch {
    return false;
  }
}

/** Back into our own group, whose list of members stays open: opening it costs as much as the way back. */
function leave(): boolean {
  const home = ownGroup();
  if (home.folder === undefined) return false;
  try {
    home.members ??= openSync(join(home.folder, MEMBERS), 'w');
    return writeSync(home.members, OURSELVES) > 0;
  } catch {
    return false;
  }
}

const OURSELVES = '0';
let made = 0;
let ownHome: OwnGroup | undefined;

interface OwnGroup {
  /** Undefined where we may not divide it. */
  readonly folder: string | undefined;
  members?: number;
}

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

function ownGroup(): OwnGroup {
  ownHome ??= { folder: findOwnGroup() };
  return ownHome;
}

function forgetOwnGroup(): void {
  if (ownHome?.members !== undefined) closeSync(ownHome.members);
  ownHome = { folder: undefined };
}
