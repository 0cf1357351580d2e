import type { Run, TaskHistory } from '../../backlog/history.ts';
import type { Task } from '../../backlog/task.ts';
import { action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { createMasker } from '../../kernel/mask.ts';
import { count } from '../../kernel/words.ts';
import { secretsAccepted } from '../../tasks/prepare/git/deliver-commit.ts';
import type { SuspiciousChanges } from '../../verification/suspicious/segment.ts';
import { findUndone } from '../../workspace/delivery/find-delivered.ts';
import {
  asMaterial,
  asSubject,
  RUN_TRAILER,
  SESSION_TRAILER,
  TASK_TRAILER,
} from '../../workspace/delivery/message.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import { type Check, checkLines } from '../files/checks.ts';
import { ACCEPT_SECRETS, type Delivered, type DeliverRequest, deliver } from '../files/deliver.ts';
import { noteDelivery } from '../files/note-delivery.ts';
import { suspiciousIn } from '../files/session-proof.ts';
import type { OpenProject } from '../open.ts';
import type { OpenRuntime } from '../runtime/open-runtime.ts';
import { reportOfRun, verifiedCommands } from './verified-commands.ts';

export interface ApproveRequest extends DeliverRequest {
  /** github: merge the pull request too. */
  readonly merge?: boolean;
  /** Of the commit on the base branch. */
  readonly message?: string;
}

export interface AcceptedBranch {
  readonly base: string;
  readonly delivered: Delivered;
  /** What was done to its branch after its checks, or what no hook has seen. */
  readonly unchecked: readonly string[];
}

/** The files first, then the state: repeated after a kill in between, it finds what it had accepted. */
export async function acceptBranch(
  { opened, settings }: OpenRuntime,
  task: Task,
  { artifacts, runs }: TaskHistory,
  request: ApproveRequest,
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
  const run = runs.findLast(({ id }) => id === branch.runId);
  const checks = verifiedCommands(opened, task, reportOfRun(run?.outcome));
  const delivered = await deliver(
    {
      opened,
      repo,
      worktree: last('worktree')?.ref ?? '',
      branch: branch.ref,
      base,
      session: task.id,
      who: `task ${task.id}`,
      mode: 'squash',
      message: (found) => request.message ?? messageFor(task, found),
      trailers: trailersOf(task, run),
      committedOnly: true,
      withoutHooks: distrusted.length > 0,
      // The evidence of its run was recorded before it came to wait for a verdict.
      doubts: [],
      checks,
      suspicious: suspiciousOf(opened, run),
      masker: createMasker(opened.config.secretValues),
      acceptSecrets: secretsAccepted(task),
      acceptWith: action('task.edit', ACCEPT_SECRETS, { task: task.id, acceptSecrets: '<reason>' }),
      acceptIt: (input, label) => action('task.approve', label, { task: task.id, ...input }),
      repair: ({ command = '' }) =>
        action('task.rework', `Have it done with what ${base} has now`, {
          task: task.id,
          notes: `${command} fails with what ${base} has now`,
        }),
    },
    request,
  );
  if (run && delivered.kind !== 'nothing-to-accept')
    await noteDelivery(opened, run.sessionId, { kind: 'delivered', base, commit: delivered.commit });
  const isSeen = checks.seen.length > 0 && request.unproven !== true;
  const unchecked = [
    ...(added === 0
      ? []
      : [`with ${count(added, 'commit')} made after its checks${isSeen ? ', which were run again' : ''}`]),
    ...(moved === undefined ? [] : [`from ${moved}, where its branch was moved to after its checks`]),
    ...(distrusted.length === 0
      ? []
      : [`without hooks, as these changed meanwhile: ${distrusted.join(', ')}`]),
  ];
  return { base, delivered, unchecked };
}

/** Whether a person has taken out of the base again what the task delivered: then it can be accepted once more. */
export async function wasUndone(
  { opened, settings }: OpenRuntime,
  { id }: Task,
  { artifacts }: TaskHistory,
): Promise<boolean> {
  const base = artifacts.findLast(({ type }) => type === 'branch')?.data?.['base'];
  if (typeof base !== 'string') return false;
  const git = new BoundGit(settings.repository.path || opened.config.projectDir);
  const head = await git.try(['rev-parse', '-q', '--verify', `refs/heads/${base}^{commit}`]);
  return head.code === 0 && (await findUndone(git, id, head.stdout.trim())) !== undefined;
}

function trailersOf({ id }: Task, run: Run | undefined): { readonly [name: string]: string } {
  const ran = run ? { [RUN_TRAILER]: run.id, [SESSION_TRAILER]: run.sessionId } : {};
  return { [TASK_TRAILER]: id, ...ran };
}

/** What was found in the session of a run; nothing that can be told where that session was deleted. */
export function suspiciousOf({ sessions }: OpenProject, run: Run | undefined): SuspiciousChanges | undefined {
  if (!run || !sessions.ids().includes(run.sessionId)) return undefined;
  return suspiciousIn(sessions.load(run.sessionId));
}

function messageFor({ title, goal }: Task, checks: readonly Check[]): string {
  const more = goal === title ? [] : [asMaterial(goal)];
  const evidence =
    checks.length === 0
      ? 'Unverified: no command passed that could have failed.'
      : ['Checked:', ...checkLines(checks)].join('\n');
  return [asSubject(title), ...more, evidence].join('\n\n');
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
