import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import { oneLine } from '../../kernel/words.ts';
import { type OpenedSession, openKeptSession } from '../../project/files/opened-session.ts';
import { refuseTaskSession } from '../../project/sessions/task-session.ts';
import { madeFrom, setUp } from '../../tasks/prepare/make-ready.ts';
import { copyCheckpoints } from '../../workspace/checkpoints/move-refs.ts';
import { pruneCheckpoints } from '../../workspace/checkpoints/prune.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { noteOwner } from '../../workspace/worktrees/owners.ts';
import { parsePosition } from '../option-values.ts';
import type { Screen } from '../output.ts';
import { continueSession } from './continue.ts';

export interface ForkOptions {
  readonly at: string;
  readonly guidance?: string;
  readonly run: boolean;
  readonly wait: boolean;
  readonly dir?: string;
  readonly json?: true;
}

/** A new session that begins where another one was at the end of a step, in a worktree of its own. */
export async function fork(
  screen: Screen,
  written: string | undefined,
  options: ForkOptions,
): Promise<number> {
  const step = parsePosition(options.at);
  if (!options.run && options.guidance !== undefined) {
    throw new UsageError('--guidance is for the worker that runs next, and --no-run runs none.', {
      next: 'Leave one of them out; `loopwright resume` takes --guidance too.',
    });
  }
  const kept = await openKeptSession(written, options.dir);
  const { opened, id, snapshot } = kept;
  refuseTaskSession(snapshot.state, opened.project);
  const { forkId, path, branch } = await makeFork(kept, step);
  if (!options.json) {
    const goal = oneLine(snapshot.state.goal);
    screen.line(`Session ${forkId} begins where ${id} was after step ${step} (${goal}).`);
  }
  if (options.run) return continueSession(screen, 'resume', forkId, options);
  if (options.json) screen.json({ session: forkId, from: id, step, worktree: path, branch });
  else screen.line(`${screen.style.cyan('next:')} ${opened.project.command('resume', forkId)}`);
  return 0;
}

async function makeFork({ opened, id, repo, manager, worktree, checkpoints }: OpenedSession, step: number) {
  const { sessions } = opened.services;
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
    return { forkId, path: created.path, branch: created.branch };
  } catch (error) {
    await manager.remove(forkId, { force: true, deleteBranch: true });
    await pruneCheckpoints(repo.dir, forkId);
    throw error;
  }
}

function noCheckpoint(id: string, step: number): UsageError {
  return new UsageError(`Session ${id} has no checkpoint at or before step ${step}.`, {
    next: `See which are left: git for-each-ref refs/loopwright/${id}`,
  });
}
