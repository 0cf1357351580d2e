import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../store/database.ts';
import type { Blocker, ChangePlans } from './change-plans.ts';

/** What became of the session that stands in the way; `stuck` is why it will not end by itself. */
export interface BlockerState {
  readonly stuck?: string;
}

export interface WaitOptions {
  readonly cancel?: AbortSignal;
  /** Called when what the session waits for has changed. */
  readonly onWait?: (waitsFor: readonly WaitReason[]) => void;
  /** Looks at the session behind a blocker. */
  readonly look?: (session: string) => BlockerState;
}

export interface WaitReason extends Blocker {
  readonly stuck?: string;
}

/** How often the database is asked whether anybody wrote; asking costs microseconds. */
const LOOK_EVERY_MS = 100;
/** A session that dies writes nothing, so the blockers are looked at again now and then. */
const LOOK_AGAIN_MS = 2000;

/** Waits until the way of a session is free and takes it; false when it was cancelled. */
export async function waitForTurn(
  plans: ChangePlans,
  database: Database,
  session: string,
  options: WaitOptions = {},
): Promise<boolean> {
  let told = '';
  while (!options.cancel?.aborted) {
    const version = database.version();
    const admission = await plans.admit(session);
    if (admission.admitted) return true;
    const reasons = admission.waitsFor.map((blocker) => ({ ...blocker, ...options.look?.(blocker.session) }));
    const text = JSON.stringify(reasons);
    if (text !== told) options.onWait?.(reasons);
    told = text;
    await changed(database, version, options.cancel);
  }
  return false;
}

async function changed(database: Database, version: number, cancel?: AbortSignal): Promise<void> {
  const until = performance.now() + LOOK_AGAIN_MS;
  do {
    await sleep(LOOK_EVERY_MS, undefined, cancel ? { signal: cancel } : {}).catch(ignoreAbort);
    if (cancel?.aborted) return;
  } while (database.version() === version && performance.now() < until);
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
}
