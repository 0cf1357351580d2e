import { join } from 'node:path';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { parseStepNumber } from '../option-values.ts';
import type { Screen } from '../output.ts';
import { openKeptSession } from '../workspace/opened-session.ts';
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
  const step = parseStepNumber(options.at);
  const { opened, id, snapshot, repo, manager, worktree, checkpoints } = await openKeptSession(
    written,
    options.dir,
  );
  const { sessions } = opened.services;
  const forkId = sessions.newId();
  const checkpoint = await checkpoints.at(step);
  const created = await manager.create({ id: forkId, base: worktree.baseCommit });
  try {
    if (checkpoint) await new TreeCheckpoints(created.path, forkId).restore(checkpoint.commit);
    const files = await new TreeCheckpoints(created.path, forkId).save(0);
    sessions.fork(id, step, {
      id: forkId,
      worktree: join(created.path, repo.prefix),
      files: files === 'unchanged' ? (checkpoint?.commit ?? created.baseCommit) : files.commit,
    });
  } catch (error) {
    await manager.remove(forkId, { force: true, deleteBranch: true });
    throw error;
  }
  if (!options.json)
    screen.line(`Session ${forkId} begins where ${id} was after step ${step} (${snapshot.state.goal}).`);
  if (!options.run) {
    if (options.json)
      screen.json({ session: forkId, from: id, step, worktree: created.path, branch: created.branch });
    else screen.line(`${screen.style.cyan('next:')} ${opened.project.command('resume', forkId)}`);
    return 0;
  }
  return continueSession(screen, 'resume', forkId, options);
}
