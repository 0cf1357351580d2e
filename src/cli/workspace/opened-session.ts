import { UsageError } from '../../kernel/errors.ts';
import type { Snapshot } from '../../orchestrator/state/session-manager.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import type { GitWorktreeManager } from '../../workspace/worktrees/manager.ts';
import type { WorktreeRecord } from '../../workspace/worktrees/record.ts';
import { type OpenProject, openProject } from '../open-project.ts';
import { findSession } from '../session-list.ts';
import { managerOf } from './session-files.ts';

/** A stored session together with the worktree it works in. */
export interface OpenedSession {
  readonly opened: OpenProject;
  readonly id: string;
  readonly snapshot: Snapshot;
  readonly repo: Repository;
  readonly manager: GitWorktreeManager;
  readonly worktree: WorktreeRecord;
  readonly checkpoints: TreeCheckpoints;
}

/** Opens a session whose files are kept; one that worked in place is refused with the reason. */
export async function openKeptSession(written: string | undefined, dir?: string): Promise<OpenedSession> {
  const opened = openProject(dir);
  const { sessions } = opened.services;
  const id = findSession(sessions, written);
  const snapshot = sessions.load(id);
  if (snapshot.state.files === null) {
    throw new UsageError(`Session ${id} worked in place, so its files were not kept.`, {
      next: 'Only sessions in a worktree have checkpoints; `loopwright run` without --in-place makes one.',
    });
  }
  const repo = await openRepository(opened.project.dir);
  const manager = managerOf(repo, opened);
  const worktree = await manager.find(id);
  if (!worktree) {
    throw new UsageError(`The worktree of session ${id} is gone.`, {
      next: `Its checkpoints are below refs/loopwright/${id}/: git log refs/loopwright/${id}/0 shows where it began.`,
    });
  }
  const checkpoints = new TreeCheckpoints(worktree.path, id);
  return { opened, id, snapshot, repo, manager, worktree, checkpoints };
}

/** Refuses what would disturb a process at work. */
export function refuseRunning({ snapshot, id, opened }: OpenedSession): void {
  if (!snapshot.ownerAlive) return;
  throw new UsageError(`Session ${id} is being run by process ${snapshot.session.owner.pid}.`, {
    next: `Wait for it, or end it with \`${opened.project.command('abort', id)}\`.`,
  });
}
