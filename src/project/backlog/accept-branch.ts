import type { RecordedArtifact } from '../../backlog/history.ts';
import type { Task } from '../../backlog/task.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { createMasker } from '../../kernel/mask.ts';
import { count } from '../../kernel/words.ts';
import { secretsAccepted } from '../../tasks/prepare/git/deliver-commit.ts';
import { asMaterial, asSubject } from '../../workspace/delivery/message.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { ACCEPT_SECRETS, type Delivered, deliver } from '../files/deliver.ts';
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
  const { added, moved } = await sinceDelivery(repo, last('commit')?.ref, branch.ref);
  const delivered = await deliver({
    repo,
    worktree: last('worktree')?.ref ?? '',
    branch: branch.ref,
    base,
    session: task.id,
    mode: 'squash',
    message: messageFor(task),
    committedOnly: true,
    withoutHooks: distrusted.length > 0,
    // The evidence of its run was recorded before it came to wait for a verdict.
    doubts: [],
    masker: createMasker(opened.config.secretValues),
    acceptSecrets: secretsAccepted(task),
    acceptWith: action('task.edit', ACCEPT_SECRETS, { task: task.id, acceptSecrets: '<reason>' }),
  });
  const unchecked = [
    ...(added === 0 ? [] : [`with ${count(added, 'commit')} made after its checks`]),
    ...(moved === undefined ? [] : [`from ${moved}, where its branch was moved to after its checks`]),
    ...(distrusted.length === 0
      ? []
      : [`without hooks, as these changed meanwhile: ${distrusted.join(', ')}`]),
  ];
  return { base, delivered, unchecked };
}

function messageFor({ id, title, goal }: Task): string {
  const more = goal === title ? [] : [asMaterial(goal)];
  return [asSubject(title), ...more, `Loopwright-Task: ${id}`].join('\n\n');
}

/** What was done to its branch after it was delivered; nothing that can be told where either is gone. */
async function sinceDelivery(
  repo: string,
  delivered: string | undefined,
  branch: string,
): Promise<{ readonly added: number; readonly moved: string | undefined }> {
  const nothing = { added: 0, moved: undefined };
  if (delivered === undefined) return nothing;
  const git = new BoundGit(repo);
  const ref = `refs/heads/${branch}`;
  const head = await git.try(['rev-parse', '-q', '--verify', `${ref}^{commit}`]);
  const now = head.stdout.trim();
  if (head.code !== 0 || now === delivered) return nothing;
  const { code, stdout } = await git.try([
    'rev-list',
    '--count',
    '--first-parent',
    `${delivered}..${ref}`,
    '--',
  ]);
  if (code !== 0) return nothing;
  const kept = await git.try(['merge-base', '--is-ancestor', delivered, now]);
  return { added: Number(stdout), moved: kept.code === 0 ? undefined : now.slice(0, 12) };
}
