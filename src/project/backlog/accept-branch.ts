import type { RecordedArtifact } from '../../backlog/history.ts';
import type { Task } from '../../backlog/task.ts';
import { refusal } from '../../cli/commands/deliver.ts';
import { UsageError } from '../../kernel/errors.ts';
import { count } from '../../kernel/words.ts';
import { BoundGit } from '../../workspace/checkpoints/bound-git.ts';
import { accept } from '../../workspace/delivery/accept.ts';
import type { OpenRuntime } from '../runtime/open-runtime.ts';

export interface Accepted {
  /** Where the work is, for a person. */
  readonly where: string;
  /** What no check of the task, or no hook, has seen. */
  readonly unchecked?: readonly string[];
}

/** The files first, then the state: repeated after a kill in between, it finds what it had accepted. */
export async function acceptBranch(
  { opened, settings }: OpenRuntime,
  task: Task,
  artifacts: readonly RecordedArtifact[],
): Promise<Accepted> {
  const last = (type: string) => artifacts.findLast((artifact) => artifact.type === type);
  const branch = last('branch');
  const base = branch?.data?.['base'];
  if (!branch || typeof base !== 'string')
    throw new UsageError(`Task ${task.id} has recorded no branch.`, {
      next: `See: loopwright show ${task.id}`,
    });
  const { distrusted = [] } = branch.data as { readonly distrusted?: readonly string[] };
  const repo = settings.repository.path || opened.config.projectDir;
  const added = await addedSince(repo, last('commit')?.ref, branch.ref);
  const result = await accept({
    repo,
    worktree: last('worktree')?.ref ?? '',
    branch: branch.ref,
    base,
    session: task.id,
    mode: 'squash',
    message: `${task.title}\n\n${task.goal === task.title ? '' : `${task.goal}\n\n`}Loopwright-Task: ${task.id}`,
    committedOnly: true,
    withoutHooks: distrusted.length > 0,
  });
  if (result.kind === 'refused') throw refusal(result);
  if (result.kind === 'nothing-to-accept') return { where: 'there was nothing to accept' };
  const where = `${result.commit.slice(0, 12)} on ${base}`;
  const unchecked = [
    ...(added === 0 ? [] : [`with ${count(added, 'commit')} made after its checks`]),
    ...(distrusted.length === 0
      ? []
      : [`without hooks, as these changed meanwhile: ${distrusted.join(', ')}`]),
  ];
  return { where, unchecked };
}

/** How many commits its branch got after it was delivered; none that can be told where either is gone. */
async function addedSince(repo: string, delivered: string | undefined, branch: string): Promise<number> {
  if (delivered === undefined) return 0;
  const range = ['--first-parent', `${delivered}..refs/heads/${branch}`];
  const { code, stdout } = await new BoundGit(repo).try(['rev-list', '--count', ...range, '--']);
  return code === 0 ? Number(stdout) : 0;
}
