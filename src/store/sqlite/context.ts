import type { Clock } from '../../kernel/clock.ts';
import type { MakeId } from '../../kernel/ids.ts';
import type { ProcessIdentity } from '../../kernel/process-identity.ts';

/** What everything in one opened store shares: above all its clock, by which leases are judged. */
export interface StoreContext {
  readonly clock: Clock;
  readonly ids: MakeId;
  /** The process that owns what is claimed here. */
  readonly owner: () => ProcessIdentity;
  /** Whether a process is known to have ended; no where that cannot be known. */
  readonly isGone: (owner: ProcessIdentity) => boolean;
  /** Where the project lies in its repository, from its top; empty: there. */
  readonly prefix: string;
  /** How long a failed task rests. */
  readonly coolDownMs: number;
  /** How long one rests that needs rework. */
  readonly reworkMs: number;
  /** How often a task is tried again by itself, altogether. */
  readonly mostRetries: number;
  /** How often leases of others are looked at, at most; a dead owner writes nothing. */
  readonly lookEveryMs: number;
  /** The agents that there are, for tasks that name some; absent: anything is taken. */
  readonly agents?: () => readonly string[];
}
