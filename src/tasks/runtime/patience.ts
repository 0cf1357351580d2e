import { setTimeout as pause } from 'node:timers/promises';
import { StorageError } from '../../kernel/errors.ts';

const AGAIN_MS = 500;

/** Asks the database again for a while when it is locked or the disk is full: what was worked out is not thrown away. */
export async function patiently<T>(action: () => Promise<T>, forMs: number): Promise<T> {
  const until = performance.now() + forMs;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof StorageError) || performance.now() >= until) throw error;
      await pause(AGAIN_MS);
    }
  }
}
