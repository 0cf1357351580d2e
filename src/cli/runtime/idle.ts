import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';

/** One cheap question to the database; nothing is read while nobody has written. */
const LOOK_EVERY_MS = 1000;

/** Waits until another process has written to the database, the time has come, or somebody stops it. */
export async function idleOn(
  database: Database,
  until: number | undefined,
  stop: AbortSignal,
): Promise<void> {
  const before = database.version();
  while (!stop.aborted && database.version() === before && (until === undefined || Date.now() < until)) {
    const left =
      until === undefined ? LOOK_EVERY_MS : Math.max(1, Math.min(LOOK_EVERY_MS, until - Date.now()));
    await pause(left, undefined, { signal: stop }).catch(() => undefined);
  }
}
