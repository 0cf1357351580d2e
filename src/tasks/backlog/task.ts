import type { Selectable } from 'kysely';
import type { RepositoryMode, Role } from '../../config/runtime/settings.ts';
import type { JsonObject } from '../../kernel/json.ts';
import type { Budget } from '../../manifest/definition.ts';
import type { TaskTable } from '../../store/backlog-tables.ts';

export type TaskRow = Selectable<TaskTable>;

export type TaskKind = TaskRow['kind'];
export type TaskState = TaskRow['state'];
export type BlockReason = NonNullable<TaskRow['block_reason']>;
export type RunState = 'running' | 'success' | 'failed' | 'cancelled';

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
  readonly state: TaskState;
  readonly blockReason?: BlockReason;
  readonly waitsFor?: string;
  readonly waitsUntil?: number;
  readonly failureCode?: string;
  readonly attempts: number;
  readonly quotaHits: number;
  readonly notes?: string;
  /** The session that the next run goes on with. */
  readonly sessionId?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Delivered, but no command has shown that it works; told where a list or a story asks for it. */
  readonly unverified?: boolean;
}

export const DEFAULT_PRIORITY = 100;
export const ROLES: readonly Role[] = ['worker', 'tester', 'docser'];
export const MODES: readonly RepositoryMode[] = ['github', 'local-git', 'direct'];
export const KINDS: readonly TaskKind[] = ['code', 'research'];
export const STATES: readonly TaskState[] = ['queued', 'running', 'blocked', 'failed', 'done', 'cancelled'];
