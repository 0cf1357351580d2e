import { setTimeout as pause } from 'node:timers/promises';
import { duration } from '../kernel/words.ts';
import type { Display } from './display/display.ts';

const TICK_MS = 1000;

/** Waits until the time has come; false when it was told to stop before. */
export async function countdown(display: Display, until: number, stop: AbortSignal): Promise<boolean> {
  try {
    for (;;) {
      const left = Math.max(0, until - Date.now());
      const at = new Date(until).toLocaleTimeString();
      display.waiting(`Parked until ${at}; going on by itself in ${duration(left)}`);
      if (left === 0) break;
      await pause(Math.min(left, TICK_MS), undefined, { signal: stop });
    }
    return true;
  } catch (error) {
    if (stop.aborted) return false;
    throw error;
  } finally {
    display.pause();
  }
}
