import { existsSync, statSync } from 'node:fs';
import { errorMessage } from '../kernel/errors.ts';
import { databaseFile, hasStore } from './open.ts';
import { all, type Rule, sql } from './rules/say.ts';
import { Database } from './sqlite/database.ts';

/** What a store takes on the disk of this machine. */
export function storeBytes(folder: string): number {
  const file = databaseFile(folder);
  return [file, `${file}-wal`, `${file}-shm`]
    .filter((each) => existsSync(each))
    .reduce((sum, each) => sum + (statSync(each, { throwIfNoEntry: false })?.size ?? 0), 0);
}

/** Opens the store once: one that is damaged is reported with what to do, before anything relies on it. */
export function refuseDamagedStore(folder: string): void {
  if (hasStore(folder)) Database.open(databaseFile(folder)).close();
}

/** What became of the room that deleted rows took. */
export interface Shrunk {
  readonly freed: number;
  readonly problem?: string;
}

/** Gives the room that deleted rows left behind back to the disk, unless a task runs: everybody would wait. */
export async function shrinkStore(folder: string): Promise<Shrunk> {
  if (!hasStore(folder)) return { freed: 0 };
  const before = storeBytes(folder);
  const database = Database.open(databaseFile(folder));
  try {
    if ((await database.read(isAnyRunning())) || !database.vacuum()) return { freed: 0 };
  } catch (error) {
    // What was to be deleted is gone already; a database in use is made smaller another time.
    return { freed: 0, problem: `the database was not made smaller: ${errorMessage(error)}` };
  } finally {
    database.close();
  }
  return { freed: Math.max(0, before - storeBytes(folder)) };
}

function* isAnyRunning(): Rule<boolean> {
  return (yield* all(sql`select 1 from task where state = 'running' limit 1`)).length > 0;
}
