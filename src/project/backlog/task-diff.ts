import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, action } from '../../kernel/action.ts';
import { ConflictError, NotFoundError } from '../../kernel/errors.ts';
import { branchOf, worktreeIdOf } from '../../tasks/prepare/git/names.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { openRepository } from '../../workspace/git/repository.ts';
import { diffText, summarizeDiff } from '../../workspace/git/tree-diff.ts';
import { readRecord } from '../../workspace/worktrees/record.ts';
import type { SessionDiff } from '../files/diff.ts';
import type { OpenProject } from '../open.ts';
import { type DeliveredBranch, deliveredBranch } from './delivered-branch.ts';

/** What a task has delivered to its branch; while it has a folder, what that holds. */
export async function taskDiff(opened: OpenProject, written: string): Promise<SessionDiff> {
  const found = await deliveredBranch(opened, written);
  const { task, repo: dir, state, run } = found;
  if (dir === undefined)
    throw new ConflictError(`Task ${task} works in the project's own files, so no diff of it is kept.`, {
      next: action('task.show', 'See which files it changed', { task }),
    });
  const range = existsSync(dir) ? await rangeOf(dir, found) : undefined;
  if (range === undefined)
    throw new NotFoundError(`Task ${task} has no files yet: it is ${state}.`, {
      next: action('task.show', 'Look at it', { task }),
    });
  const git = new BoundGit(dir);
  const [summary, text] = await Promise.all([
    summarizeDiff(git, range.from, range.to),
    diffText(git, range.from, range.to),
  ]);
  const isStored = run !== undefined && opened.sessions.ids().includes(run.sessionId);
  const delivery = isStored ? opened.sessions.load(run.sessionId).state.delivery : null;
  return { session: task, status: state, delivery, ...summary, text, next: nextOf(found, delivery?.kind) };
}

/** From where it left its base to what it has: in its folder, on its branch, or in what it delivered. */
async function rangeOf(
  dir: string,
  { task, branch = branchOf(task), base, baseCommit, commit }: DeliveredBranch,
): Promise<{ readonly from: string; readonly to: string } | undefined> {
  const git = new BoundGit(dir);
  const { commonDir } = await openRepository(dir);
  const record = await readRecord(commonDir, worktreeIdOf(task));
  if (record && existsSync(join(record.path, '.git'))) {
    const to = await new TreeCheckpoints(record.path, task).tree();
    return { from: record.baseCommit, to };
  }
  const named = [`refs/heads/${branch}^{commit}`, ...(commit === undefined ? [] : [`${commit}^{commit}`])];
  for (const name of named) {
    const { code, stdout } = await git.try(['rev-parse', '-q', '--verify', name]);
    if (code !== 0) continue;
    const to = stdout.trim();
    const began = baseCommit ?? base;
    const fork = began === undefined ? undefined : await git.try(['merge-base', began, to]);
    return { from: fork?.code === 0 ? fork.stdout.trim() : `${to}^1`, to };
  }
  return undefined;
}

function nextOf({ task, waitsForVerdict }: DeliveredBranch, delivery: string | undefined): Action {
  if (waitsForVerdict) return action('task.approve', 'Accept it', { task });
  if (delivery === 'delivered') return action('session.undo', 'Take it out again', { session: task });
  return action('task.show', 'Look at it', { task });
}
