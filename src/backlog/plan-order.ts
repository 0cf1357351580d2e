import type { PlanStatus } from './words.ts';

/** A place in the line of sessions. */
export interface Place {
  readonly priority: number;
  readonly seq: number;
  readonly status: PlanStatus;
}

/** Lower priority number first, then the older. */
export function isBefore(a: Omit<Place, 'status'>, b: Omit<Place, 'status'>): boolean {
  return a.priority < b.priority || (a.priority === b.priority && a.seq < b.seq);
}

/**
 * Whether a session that means to change the same files keeps `own` waiting: everybody who is at work or put aside,
 * and whoever waits before it in line. One that is at work itself has had its turn: nobody who waits holds it up, and
 * of two that turned out to clash the first goes on.
 */
export function keepsWaiting(other: Place, own: Place): boolean {
  if (own.status === 'active') return other.status !== 'waiting' && isBefore(other, own);
  return other.status !== 'waiting' || isBefore(other, own);
}
