import type { ConfigFile } from './config-file.ts';
import type { Environment } from './terminal.ts';

type Configured = NonNullable<ConfigFile['worktrees']>;

/** How worktrees are made for a project, with nothing left out. */
export interface WorktreeSettings {
  /** `LOCAL_WORKTREE_ROOT`: where they go instead of `.loopwright/worktrees`. */
  readonly root?: string;
  /** Run in a new worktree, in this order, until one fails. */
  readonly setup: NonNullable<Configured['setup']>;
  /** Run in a worktree before it is removed. */
  readonly teardown: NonNullable<Configured['teardown']>;
  /** Untracked files to bring along, such as `.env`; globs allowed. */
  readonly copy: readonly string[];
  /** Dependency folders to share with the checkout instead of installing them again. */
  readonly share: readonly string[];
}

export function worktreeSettings(configured: Configured = {}, env: Environment = {}): WorktreeSettings {
  const root = env['LOCAL_WORKTREE_ROOT']?.trim() ?? '';
  const { setup = [], teardown = [], copy = [], share = [] } = configured;
  return { ...(root === '' ? {} : { root }), setup, teardown, copy, share };
}
