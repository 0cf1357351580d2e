import type { RecordedArtifact } from '../../backlog/history.ts';
import type { Task } from '../../backlog/task.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { count } from '../../kernel/words.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { type Delivered, deliver } from '../files/deliver.ts';
import type { OpenRuntime } from '../runtime/open-runtime.ts';

export interface AcceptedBranch {
  readonly base: string;
  readonly delivered: Delivered;
  /** What no check of the task, or no hook, has seen. */
  readonly unchecked: readonly string[];
}

/** The files first, then the state: repeated after a kill in between, it finds what it had accepted. */
export async function acceptBranch(
  { opened, settings }: OpenRuntime,
  task: Task,
  artifacts: readonly RecordedArtifact[],
): Promise<AcceptedBranch> {
  const last = (type: string) => artifacts.findLast((artifact) => artifact.type === type);
  const branch = last('branch');
  const base = branch?.data?.['base'];
  if (!branch || typeof base !== 'string')
    throw new ConflictError(`Task ${task.id} has recorded no branch.`, {
      next: action('task.show', 'Look at it', { task: task.id }),
    });
  const { distrusted = [] } = branch.data as { readonly distrusted?: readonly string[] };
  const repo = settings.repository.path || opened.config.projectDir;
  const added = await addedSince(repo, last('commit')?.ref, branch.ref);
  const delivered = await deliver({
    repo,
    worktree: last('worktree')?.ref ?? '',
    branch: branch.ref,
    base,
    session: task.id,
    mode: 'squash',
    message: `${task.title}\n\n${task.goal === task.title ? '' : `${task.goal}\n\n`}Loopwright-Task: ${task.id}`,
    committedOnly: true,
    withoutHooks: distrusted.length > 0,
    // The evidence of its run was recorded before it came to wait for a verdict.
    doubts: [],
  });
  const unchecked = [
    ...(added === 0 ? [] : [`with ${count(added, 'commit')} made after its checks`]),
    ...(distrusted.length === 0
      ? []
      : [`without hooks, as these changed meanwhile: ${distrusted.join(', ')}`]),
  ];
  return { base, delivered, unchecked };
}

/** How many commits its branch got after it was delivered; none that can be told where either is gone. */
async function addedSince(repo: string, delivered: string | undefined, branch: string): Promise<number> {
  if (delivered === undefined) return 0;
  const range = ['--first-parent', `${delivered}..refs/heads/${branch}`];
  const { code, stdout } = await new BoundGit(repo).try(['rev-list', '--count', ...range, '--']);
  return code === 0 ? Number(stdout) : 0;
}
