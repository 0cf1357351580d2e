import { LoopwrightError } from '../../../kernel/errors.ts';
import type { KeptFiles } from '../../../workspace/checkpoints/kept-files.ts';
import { gitDirNamedIn } from '../../../workspace/worktrees/admin-entry.ts';
import { healWorktree } from '../../../workspace/worktrees/heal-worktree.ts';
import type { PrepareOptions } from '../prepared.ts';
import { asideOf, type TaskWorktree } from './task-worktree.ts';

/** What the worktree's `.git` led to was taken away while a task was at work in it. */
class WorktreeCutOffError extends LoopwrightError {}

/**
 * Keeps files only while the worktree belongs to its repository. Without its `.git`, git would go on to the
 * folders above, and those are the user's: so this attempt ends there, and what was done to the link is put right
 * for the next one. The files stay as they are.
 */
export function guardedFiles(
  files: KeptFiles,
  tree: TaskWorktree,
  options: PrepareOptions,
  runId: string,
): KeptFiles {
  let broken: WorktreeCutOffError | undefined;
  const check = async (): Promise<void> => {
    if (!broken && (await gitDirNamedIn(tree.record.path)) === tree.gitDir) return;
    broken ??= await cutOff(tree, options, runId);
    throw broken;
  };
  return {
    async identity() {
      await check();
      return files.identity();
    },
    async save(step, of) {
      await check();
      return files.save(step, of);
    },
    async changes(since) {
      await check();
      return files.changes(since);
    },
    async undo(paths) {
      await check();
      await files.undo(paths);
    },
    async restore(checkpoint) {
      await check();
      return files.restore(checkpoint);
    },
  };
}

async function cutOff(
  { place, record }: TaskWorktree,
  options: PrepareOptions,
  runId: string,
): Promise<WorktreeCutOffError> {
  const notes = await healWorktree(place.repo, record, { aside: asideOf(options, runId) });
  return new WorktreeCutOffError(
    `the .git of the worktree ${record.path} was replaced or deleted while the task was at work (${notes.join('; ')}); nothing of this attempt is delivered`,
    { next: 'The next attempt continues with the files as they are.' },
  );
}
