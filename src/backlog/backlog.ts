import type { Role } from '../kernel/runtime-words.ts';
import type { PastFailure, TaskHistory } from './history.ts';
import type { Task, TaskDraft } from './task.ts';
import type { TaskState } from './words.ts';

export interface TaskFilter {
  readonly states?: readonly TaskState[];
  readonly role?: Role;
  readonly limit?: number;
  /** Only what was changed at this time or later. */
  readonly updatedSince?: number;
}

/** A draft that others in the same list can name in their dependencies, by its key or its title. */
export interface NamedDraft extends TaskDraft {
  readonly key?: string;
}

export interface AddedTasks {
  readonly added: readonly string[];
  /** Those that were imported before. */
  readonly known: readonly string[];
}

/** The tasks of a project: what is asked for. Who works on what when is the scheduler's. */
export interface Backlog {
  /** All of them or none; those whose source is known already are left as they are. */
  add(drafts: readonly NamedDraft[]): Promise<AddedTasks>;
  /** Changes what a person decides; not while it runs, for its owner has read it already. */
  edit(id: string, changes: Partial<TaskDraft>): Promise<void>;
  /** Deletes a task with its runs and events; refused while it runs or others need it. */
  remove(id: string): Promise<void>;
  get(id: string): Promise<Task | undefined>;
  ids(): Promise<string[]>;
  /** In the order of the line: by priority, then age. */
  list(filter?: TaskFilter): Promise<Task[]>;
  history(id: string): Promise<TaskHistory>;
  /**
   * What the next attempt of a task should know: its own failures, then those of other tasks of its role and kind whose
   * class is that of its last one; the newest first, a few of each.
   */
  earlierFailures(id: string): Promise<readonly PastFailure[]>;
  /** The tasks with what they wait for now, even where that is not written down: in line, and while they run. */
  withWaits(tasks: readonly Task[], agentsOf: (role: Role) => readonly string[]): Promise<Task[]>;
  /** Marks the tasks that were delivered although no command has shown that they work. */
  withProof(tasks: readonly Task[]): Promise<Task[]>;
}
