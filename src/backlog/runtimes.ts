import type { ProcessIdentity } from '../kernel/process-identity.ts';
import type { Role } from '../kernel/runtime-words.ts';
import type { RuntimeState } from './words.ts';

/** A runtime that begins to work. */
export interface RuntimeEntry {
  /** As its claims and runs name it. */
  readonly name: string;
  readonly role: Role;
  /** How often it shows itself. */
  readonly beatMs: number;
}

/** A process that works on the backlog. */
export interface RuntimeRow extends RuntimeEntry {
  readonly id: string;
  readonly process: ProcessIdentity;
  readonly state: RuntimeState;
  /** The tasks whose leases it has. */
  readonly tasks: readonly string[];
  readonly since: number;
  /** When it showed itself last, by the clock of the store. */
  readonly seenAt: number;
  /** It has not shown itself for too long, or its process is gone: its tasks are taken over. */
  readonly dead: boolean;
}

/** How many beats may be missing before a runtime is taken for dead. */
export const MISSED_BEATS = 3;

/** Which runtimes there are. */
export interface Runtimes {
  /** A new runtime, idle; gives its id. Forgets those that are long dead. */
  enter(entry: RuntimeEntry): Promise<string>;
  /** It lives and is in this state. */
  beat(id: string, state: RuntimeState): Promise<void>;
  /** It has ended. */
  leave(id: string): Promise<void>;
  /** The oldest first. */
  list(): Promise<RuntimeRow[]>;
}
