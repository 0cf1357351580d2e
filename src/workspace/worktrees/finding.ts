import type { Action } from '../../kernel/action.ts';

/**
 * Something that disk, git and sessions did not agree on.
 *
 * half-made, half-restored, half-removed   a kill in the middle; undone or finished
 * moved                     the repository or the folder has a new place; git was told
 * folder-gone               deleted by hand; git's entry is taken away, the branch stays
 * session-without-folder    a session that can continue has no worktree: resuming makes the folder again
 * folder-without-session    nobody knows it; only reported, `gc` decides
 * stray-folder              a folder among ours that is no worktree; only reported
 * git-lock                  a lock file of git itself; only reported
 */
export interface Finding {
  readonly kind:
    | 'half-made'
    | 'half-restored'
    | 'half-removed'
    | 'moved'
    | 'folder-gone'
    | 'session-without-folder'
    | 'folder-without-session'
    | 'stray-folder'
    | 'git-lock';
  readonly id: string;
  readonly path: string;
  readonly healed: boolean;
  readonly message: string;
  readonly next?: Action;
}
