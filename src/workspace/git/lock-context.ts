import { AsyncLocalStorage } from 'node:async_hooks';

export interface HeldRepoLock {
  readonly commonDir: string;
  /** Unique to one holding of the lock. */
  readonly token: string;
}

/** Carried by every git that is started under a lock: it outlives its starter when that is killed. */
export const LOCK_MARKER = 'LOOPWRIGHT_REPO_LOCK';

const held = new AsyncLocalStorage<HeldRepoLock>();

/** The repository lock that the running piece of work holds. */
export function heldRepoLock(): HeldRepoLock | undefined {
  return held.getStore();
}

export function holdingRepoLock<T>(lock: HeldRepoLock, action: () => Promise<T>): Promise<T> {
  return held.run(lock, action);
}

export function lockMarker(): { readonly [name: string]: string } {
  const lock = held.getStore();
  return lock ? { [LOCK_MARKER]: lock.token } : {};
}
