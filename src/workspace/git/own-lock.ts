import { rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../../kernel/errors.ts';

/** git writes one ref while it holds the lock: a lock this old has lost its owner. */
const DEAD_AFTER_MS = 3000;
const POLL_MS = 50;
/** Refs that nobody but loopwright writes. Any other lock may belong to the user and is never removed. */
const OWN = /Unable to create '(.+[\\/]refs[\\/]loopwright[\\/].+\.lock)': File exists/;

/**
 * Whether the command is worth repeating: it met a lock on one of our own refs that has gone by now, or that
 * a killed git left behind and we have removed.
 */
export async function freedOwnLock(stderr: string): Promise<boolean> {
  const path = OWN.exec(stderr)?.[1];
  if (path === undefined) return false;
  for (;;) {
    const age = await ageOf(path);
    if (age === undefined) return true;
    if (age > DEAD_AFTER_MS) {
      await rm(path, { force: true });
      return true;
    }
    await sleep(POLL_MS);
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  try {
    return Math.abs(Date.now() - (await stat(path)).mtimeMs);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
