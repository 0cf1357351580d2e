import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';

/** One cheap question to the database; nothing is read while nobody has written. */
const LOOK_EVERY_MS = 1000;
const SHORTEST_MS = 100;

/**
 * Waits until another process has written to the database, the time has come, or somebody stops it. It always
 * waits a moment: what is due but cannot be claimed must not keep the processor busy.
 */
export async function idleOn(
  database: Database,
  until: number | undefined,
  stop: AbortSignal,
): Promise<void> {
  const before = database.version();
  const isOver = (): boolean =>
    stop.aborted || database.version() !== before || (until !== undefined && Date.now() >= until);
  do {
    const left = until === undefined ? LOOK_EVERY_MS : until - Date.now();
    const ms = Math.min(LOOK_EVERY_MS, Math.max(SHORTEST_MS, left));
    await pause(ms, undefined, { signal: stop }).catch(() => undefined);
  } while (!isOver());
}
