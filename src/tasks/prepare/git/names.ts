const PREFIX = 'task-';

/** The id of the worktree that all runs of a task share. */
export function worktreeIdOf(taskId: string): string {
  return PREFIX + taskId;
}

/** The task that a worktree belongs to; undefined for one of a session. */
export function taskOfWorktree(id: string): string | undefined {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : undefined;
}

/** The whole id: ids that were made in one second begin with the same characters. */
export function branchOf(taskId: string): string {
  return `loopwright/task/${taskId}`;
}
