import type { Action } from '../kernel/action.ts';
import type { JsonObject } from '../kernel/json.ts';
import type { RepositoryMode, Role, TaskOrigin } from '../kernel/runtime-words.ts';
import type { WaitCause } from '../kernel/wait-cause.ts';
import type { Budget } from '../manifest/definition.ts';
import type { FailureClass } from './retries.ts';
import type { BlockReason, TaskKind, TaskState } from './words.ts';

/** What a person asks for; everything but the title has a default. */
export interface TaskDraft {
  readonly title: string;
  /** The title when not given. */
  readonly goal?: string;
  readonly kind?: TaskKind;
  readonly role?: Role;
  /** Absent: the configured one. */
  readonly mode?: RepositoryMode;
  readonly allowedPaths?: readonly string[];
  readonly deniedPaths?: readonly string[];
  readonly expectedFiles?: readonly string[];
  readonly commands?: readonly string[];
  /** Ids of tasks that must be done before. */
  readonly dependencies?: readonly string[];
  /** Lower goes first. */
  readonly priority?: number;
  readonly timeboxMinutes?: number;
  /** In this order, the next one on quota; absent: the configured ones. */
  readonly agents?: readonly string[];
  readonly budget?: Budget;
  readonly context?: JsonObject;
  /** Where it comes from; the same source is never added twice. */
  readonly source?: string;
  /** For the next attempt. */
  readonly notes?: string;
}

/** An item of the backlog. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly goal: string;
  readonly kind: TaskKind;
  readonly role: Role;
  readonly mode?: RepositoryMode;
  readonly allowedPaths: readonly string[];
  readonly deniedPaths: readonly string[];
  readonly expectedFiles: readonly string[];
  readonly commands: readonly string[];
  readonly dependencies: readonly string[];
  readonly priority: number;
  readonly timeboxMinutes?: number;
  readonly agents: readonly string[];
  readonly budget?: Budget;
  readonly context?: JsonObject;
  readonly source?: string;
  /** Whose words its title and goal are: text that came from a source is nobody's here. */
  readonly origin: TaskOrigin;
  readonly state: TaskState;
  readonly blockReason?: BlockReason;
  readonly waitsFor?: string;
  readonly waitsUntil?: number;
  /** Of a wait in `quota_wait`: why. */
  readonly waitCause?: WaitCause;
  readonly failureCode?: string;
  /** Of the last attempt, where it failed: decides whether it is tried again by itself. */
  readonly failureClass?: FailureClass;
  readonly attempts: number;
  readonly quotaHits: number;
  readonly notes?: string;
  /** The session that the next run continues. */
  readonly sessionId?: string;
  /** What to do about the wait, where a person can shorten it. */
  readonly next?: Action;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Delivered, but no command has shown that it works; told where a list or a story asks for it. */
  readonly unverified?: boolean;
}
