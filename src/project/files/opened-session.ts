import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { action } from '../../kernel/action.ts';
import { ConflictError, SessionBusyError } from '../../kernel/errors.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import { isLinked } from '../../workspace/worktrees/admin-entry.ts';
import type { GitWorktreeManager } from '../../workspace/worktrees/manager.ts';
import type { WorktreeRecord } from '../../workspace/worktrees/record.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from '../sessions/list.ts';
import { refuseTaskSession } from '../sessions/task-session.ts';
import { lookFirst, refuseTampered } from './guard.ts';
import { readUnmade } from './unmade-worktree.ts';
import { managerOf } from './worktree-services.ts';

/** A stored session together with what is left of the worktree it works in. */
export interface OpenedSession {
  readonly opened: OpenProject;
  readonly id: string;
  readonly snapshot: Snapshot;
  /** The newest checkpoint that the session knows. */
  readonly files: string;
  readonly repo: Repository;
  readonly manager: GitWorktreeManager;
  /** Undefined when the worktree was removed. */
  readonly worktree: WorktreeRecord | undefined;
  /** Where the worktree is, or was. */
  readonly path: string;
  readonly branch: string;
  /** Whether its folder is there. */
  readonly present: boolean;
  readonly checkpoints: TreeCheckpoints;
}

/** Opens a session whose files are kept; one that worked in place is refused with the reason. */
export async function openKeptSession(
  opened: OpenProject,
  written: string | undefined,
  named: { readonly orTask?: boolean } = {},
): Promise<OpenedSession> {
  const { sessions } = opened;
  const id = findSession(sessions, written, named);
  const snapshot = sessions.load(id);
  const { files } = snapshot.state;
  if (files === null && readUnmade(opened.project, id)) {
    throw new ConflictError(`Session ${id} waits for its turn and has no files yet.`, {
      next: action('session.resume', 'Wait for its turn', { session: id }),
    });
  }
  if (files === null) {
    throw new ConflictError(`Session ${id} worked in place, so its files were not kept.`, {
      next: 'Only sessions in a worktree have checkpoints. A run makes one unless it works in place.',
    });
  }
  refuseTampered(opened, id);
  const repo = await openRepository(opened.project.dir);
  const manager = managerOf(repo, opened);
  const worktree = await manager.find(id);
  const path = worktree?.path ?? join(manager.root, id);
  const branch = worktree?.branch ?? `loopwright/${id}`;
  const present = worktree !== undefined && existsSync(join(path, '.git'));
  if (present && !(await isLinked(repo.commonDir, path))) {
    throw new ConflictError(
      `Nothing of session ${id} is touched before somebody has looked: the .git of ${path} was replaced.`,
      {
        next: lookFirst(id),
      },
    );
  }
  // Refs belong to the repository: they can be read from the checkout as well.
  const checkpoints = new TreeCheckpoints(present ? path : repo.dir, id);
  return { opened, id, snapshot, files, repo, manager, worktree, path, branch, present, checkpoints };
}

/** Refuses what would disturb the backlog or a process at work. */
export function refuseOwned({ snapshot, id }: OpenedSession): void {
  refuseTaskSession(snapshot.state);
  if (!snapshot.ownerAlive) return;
  throw new SessionBusyError(`Session ${id} is being run by process ${snapshot.session.owner.pid}.`, {
    next: action('session.abort', 'Wait for it, or end it', { session: id }),
  });
}
