import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { action } from '../../kernel/action.ts';
import { NotFoundError } from '../../kernel/errors.ts';
import { madeFrom, setUp } from '../../tasks/prepare/make-ready.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { Repository } from '../../workspace/git/repository.ts';
import { isLinked } from '../../workspace/worktrees/admin-entry.ts';
import { healWorktree } from '../../workspace/worktrees/heal-worktree.ts';
import { GitWorktreeManager } from '../../workspace/worktrees/manager.ts';
import type { WorktreeRecord } from '../../workspace/worktrees/record.ts';
import type { OpenProject } from '../open.ts';
import { takeUpSetup } from './make-worktree.ts';
import { finishRewind } from './pending-rewind.ts';

/** The worktree of a session that continues. One that was deleted by hand is made again from the last checkpoint. */
export async function bringBack(
  opened: OpenProject,
  repo: Repository,
  { id, files }: { readonly id: string; readonly files: string },
): Promise<WorktreeRecord & { readonly notes: readonly string[] }> {
  const manager = new GitWorktreeManager(repo, { root: opened.config.worktrees.root });
  const record = await manager.find(id);
  if (!record) {
    throw new NotFoundError(`The worktree of session ${id} is gone for good.`, {
      next: action(
        'session.fork',
        `If its checkpoints are left (git for-each-ref refs/loopwright/${id}), fork a session from one`,
        { session: id },
      ),
    });
  }
  if (existsSync(join(record.path, '.git'))) {
    const healed = (await isLinked(repo.commonDir, record.path))
      ? []
      : await healWorktree(repo, record, { aside: join(opened.config.stateDir, 'trash', id) });
    const rewound = await finishRewind(opened, id, record.path);
    const again = await takeUpSetup(opened, repo, record);
    return { ...record, notes: [...healed, ...rewound, ...again] };
  }
  const restored = await manager.restore(id);
  if (!(await isBranchNewer(repo, record.branch, files))) {
    await new TreeCheckpoints(restored.path, id).restore(files);
  }
  await setUp(opened.config, madeFrom(repo, restored));
  const notes = await finishRewind(opened, id, restored.path);
  return {
    ...restored,
    notes: ['its worktree was gone and was made again from what was kept last', ...notes],
  };
}

/** Whether somebody committed to the session's branch after its last checkpoint. */
async function isBranchNewer(repo: Repository, branch: string, checkpoint: string): Promise<boolean> {
  const git = new BoundGit(repo.dir);
  const dateOf = async (name: string) => Number(await git.out(['log', '-1', '--format=%ct', name, '--']));
  return (await dateOf(`refs/heads/${branch}`)) > (await dateOf(checkpoint));
}
