import { join } from 'node:path';
import { NotFoundError } from '../../kernel/errors.ts';
import { madeFrom, setUp } from '../../tasks/prepare/make-ready.ts';
import { copyCheckpoints } from '../../workspace/checkpoints/move-refs.ts';
import { pruneCheckpoints } from '../../workspace/checkpoints/prune.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { noteOwner } from '../../workspace/worktrees/owners.ts';
import type { OpenProject } from '../open.ts';
import { refuseTaskSession } from '../sessions/task-session.ts';
import { openKeptSession } from './opened-session.ts';

export interface Forked {
  readonly session: string;
  readonly from: string;
  readonly step: number;
  readonly goal: string;
  readonly worktree: string;
  readonly branch: string;
}

/** A new session that begins where another one was at the end of a step, in a worktree of its own. */
export async function fork(
  opened: OpenProject,
  written: string | undefined,
  { at: step }: { readonly at: number },
): Promise<Forked> {
  const { sessions } = opened;
  const { id, repo, manager, worktree, checkpoints, snapshot } = await openKeptSession(opened, written);
  refuseTaskSession(snapshot.state);
  const [first] = await checkpoints.list();
  const checkpoint = await checkpoints.at(step);
  if (!first || !checkpoint) throw noCheckpoint(id, step);
  const forkId = sessions.newId();
  const baseName = worktree?.baseName;
  noteOwner(repo, opened.project.dir, forkId);
  try {
    const created = await manager.create({
      id: forkId,
      base: worktree?.baseCommit ?? `${first.commit}^1`,
      ...(baseName === undefined ? {} : { baseName }),
    });
    await copyCheckpoints(repo.dir, { from: id, to: forkId, step });
    await new TreeCheckpoints(created.path, forkId).restore(checkpoint.commit);
    await setUp(opened.config, madeFrom(repo, created));
    sessions.fork(id, step, {
      id: forkId,
      worktree: join(created.path, repo.prefix),
      files: checkpoint.commit,
    });
    const { goal } = snapshot.state;
    return { session: forkId, from: id, step, goal, worktree: created.path, branch: created.branch };
  } catch (error) {
    await manager.remove(forkId, { force: true, deleteBranch: true });
    await pruneCheckpoints(repo.dir, forkId);
    throw error;
  }
}

export function noCheckpoint(id: string, step: number): NotFoundError {
  return new NotFoundError(`Session ${id} has no checkpoint at or before step ${step}.`, {
    next: `See which are left: git for-each-ref refs/loopwright/${id}`,
  });
}
