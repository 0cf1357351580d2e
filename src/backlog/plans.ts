import type { Holder } from './change-set.ts';
import type { Changes } from './changes.ts';
import type { PlanStatus } from './words.ts';

/** Somebody a session waits for, or clashes with. */
export interface Blocker extends Holder {
  readonly status: PlanStatus | 'running';
  /** What both mean to change. */
  readonly path: string;
}

export type Admission =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly waitsFor: readonly Blocker[] };

/** Two that mean to change the same; of a task in line and whom it waits for, the task is the second. */
export interface Conflict {
  readonly between: readonly [Holder, Holder];
  readonly path: string;
}

/** A session in line with its plan. */
export interface PlanPlace {
  readonly id: string;
  readonly status: PlanStatus;
  /** Lower goes first. */
  readonly priority: number;
  readonly since: number;
}

/**
 * Which session means to change what. Invariants of every implementation, which the conformance suite checks:
 * 1. Two sessions whose plans clash are never admitted while both are active or held, whatever process asks; nor is
 *    one while a task runs that may change the same files.
 * 2. Of waiting sessions that clash, the one with the lower priority number goes first, then the older. A session in
 *    line goes before every task in line: somebody sits and waits for it.
 * 3. Nobody who waits holds up one that is at work.
 * 4. A change of a plan looks only at the entries that could clash with it, through an index.
 */
export interface Plans extends Changes {
  /** Puts a session in line with its plan; repeating it changes nothing but what is new in the plan. */
  enter(session: string, plan: readonly string[], options?: { readonly priority?: number }): Promise<void>;
  /** Lets the session start if its way is free, and says what it waits for otherwise. */
  admit(session: string): Promise<Admission>;
  /** Extends the plan of a session in line; gives who clashes on what was added. */
  add(session: string, files: readonly string[]): Promise<readonly Blocker[]>;
  /** Puts a session aside: it keeps its place and blocks others until it continues or leaves. */
  hold(session: string): Promise<void>;
  /** The session has ended: the way is free. */
  leave(session: string): Promise<void>;
  /** Who means to change what a path means: nobody enters by asking. */
  clashes(path: string): Promise<readonly (Holder & { readonly path: string })[]>;
  planOf(session: string): Promise<string[]>;
  sessions(): Promise<PlanPlace[]>;
  /** Everybody who clashes: sessions, running tasks, and tasks in line that wait for either. */
  conflicts(): Promise<Conflict[]>;
}

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
 * of two that turned out to clash the first continues.
 */
export function keepsWaiting(other: Place, own: Place): boolean {
  if (own.status === 'active') return other.status !== 'waiting' && isBefore(other, own);
  return other.status !== 'waiting' || isBefore(other, own);
}
