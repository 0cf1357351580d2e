import type { RepositoryMode } from '../kernel/runtime-words.ts';
import type { BeforeWork } from './before-work.ts';

/** What was done to the files of a task since it began, each list sorted, paths relative with `/`. */
export interface TreeChanges {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The folder that a task works in, and what verification may do to it. One implementation per repository mode. */
export interface TaskTree {
  readonly root: string;
  readonly mode: RepositoryMode;
  /** What no change shows, as it was before an agent came; absent: nobody looked. */
  readonly before?: BeforeWork | undefined;
  changes(): Promise<TreeChanges>;
  /** Identifies the files as they are now; what is delivered is what this named when it was verified. */
  identity(): Promise<string>;
  /** The paths that differ between two identities that were given; those of a kind that keeps no contents may be none. */
  differing(from: string, to: string): Promise<readonly string[]>;
  /** Which of these the repository ignores. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Which of these the base knows. */
  tracked(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Undoes changes. With git a path goes back to what the base has; in direct mode an added file is moved to the
   * trash and nothing else can be undone. What was not undone is `kept`, with the reason.
   */
  discard(paths: readonly string[]): Promise<Discarded>;
}

export interface Discarded {
  readonly discarded: readonly string[];
  readonly kept: readonly { readonly path: string; readonly reason: string }[];
}
