import type { Artifact } from '../../../backlog/release.ts';
import type { Claim } from '../../../backlog/scheduler.ts';
import { LoopwrightError } from '../../../kernel/errors.ts';
import { createMasker } from '../../../kernel/mask.ts';
import { headCommit } from '../../../workspace/checkpoints/commit.ts';
import { type CommitWorkOptions, commitWork } from '../../../workspace/delivery/commit-work.ts';
import { type ChangeSummary, describeChange } from '../../../workspace/delivery/describe-change.ts';
import { asMaterial, asSubject, RUN_TRAILER, TASK_TRAILER } from '../../../workspace/delivery/message.ts';
import {
  SecretInChangeError,
  secretsInChange,
  secretsInText,
} from '../../../workspace/delivery/secret-scan.ts';
import { BoundGit } from '../../../workspace/git/bound-git.ts';
import { changedSince, watchRepository } from '../../../workspace/git/watch-repository.ts';
import { healWorktree } from '../../../workspace/worktrees/heal-worktree.ts';
import type { DeliveryRequest, PrepareOptions } from '../prepared.ts';
import { asideOf, type TaskWorktree } from './task-worktree.ts';

export interface Committed {
  /** What the branch brings to its base. */
  readonly change: ChangeSummary;
  readonly artifacts: readonly Artifact[];
  readonly notes: readonly string[];
}

const SUBJECT = 72;
/** More files than anybody reads in a record. */
const MOST_FILES = 1000;

/** Commits what the worktree holds to the task's branch, as the user; a repetition finds everything committed. */
export async function commitTask(
  tree: TaskWorktree,
  options: PrepareOptions,
  claim: Claim,
  request: DeliveryRequest,
): Promise<Committed> {
  const { place, record, watched, checkpoints } = tree;
  const { repo } = place;
  const notes = await healWorktree(repo, record, { aside: asideOf(options, claim.runId) });
  const changed = changedSince(watched, await watchRepository(repo.commonDir, watched));
  if (changed.length > 0) {
    notes.push(`hooks were not run, because these changed while the task was at work: ${changed.join(', ')}`);
  }
  const accepted = await refuseSecrets(tree, options, claim, request);
  notes.push(...accepted);
  options.onStep?.('committing');
  const work: CommitWorkOptions = {
    worktree: record.path,
    branch: record.branch,
    session: claim.sessionId,
    message: [messageFor(request), ...accepted].join('\n\n'),
    trailers: { [TASK_TRAILER]: claim.task.id, [RUN_TRAILER]: claim.runId },
    withoutHooks: changed.length > 0,
    ...(request.tree === undefined ? {} : { tree: request.tree }),
  };
  const result = await checkpoints.use((opened) => commitWork(work, opened));
  if (result.kind === 'refused') {
    const said = result.output.trim() === '' ? '' : `\n${result.output.trim()}`;
    throw new LoopwrightError(`${result.message}${said}`, { next: result.next });
  }
  notes.push(...result.notes);
  const change = await describeChange(repo.dir, record.baseCommit, {
    branch: record.branch,
    commit: result.commit,
  });
  return { change, artifacts: artifactsOf(tree, change, changed), notes };
}

/** Nothing is committed that would carry a secret out, unless a person accepted that and said why. */
async function refuseSecrets(
  { record, checkpoints }: TaskWorktree,
  { config }: PrepareOptions,
  { task }: Claim,
  request: DeliveryRequest,
): Promise<string[]> {
  const masker = createMasker(config.secretValues);
  const tree = request.tree ?? (await checkpoints.tree());
  const git = new BoundGit(record.path);
  const commit = await headCommit(git);
  const change = { from: record.baseCommit, tree, ...(commit === undefined ? {} : { commit }) };
  const found = [
    ...(await secretsInChange(git, change, masker)),
    ...secretsInText('the commit message', messageFor(request), masker),
  ];
  if (found.length === 0) return [];
  const reason = secretsAccepted(task);
  if (reason === undefined) throw new SecretInChangeError(found);
  return [`secrets in the change were accepted by a person: ${reason}`];
}

/** Why a person lets the secrets of a task leave; undefined: nobody does. */
export function secretsAccepted({ context }: Claim['task']): string | undefined {
  const reason = context?.['secretsAccepted'];
  return typeof reason === 'string' && reason.trim() !== '' ? reason : undefined;
}

/** `distrusted`: hooks and settings of git that changed meanwhile, which nobody should run unseen. */
function artifactsOf(
  { place, record }: TaskWorktree,
  change: ChangeSummary,
  distrusted: readonly string[],
): Artifact[] {
  const { branch, path, baseCommit } = record;
  const artifacts: Artifact[] = [
    { type: 'branch', ref: branch, data: { base: place.baseName, baseCommit, distrusted: [...distrusted] } },
    { type: 'worktree', ref: path },
  ];
  if (change.files.length === 0) return artifacts;
  const { commit, from, insertions, deletions } = change;
  const files = change.files.slice(0, MOST_FILES).map((file) => ({ ...file }));
  return [
    ...artifacts,
    { type: 'commit', ref: commit, data: { branch } },
    {
      type: 'diff',
      ref: `${place.baseName}..${branch}`,
      data: {
        base: place.baseName,
        branch,
        from,
        commit,
        insertions,
        deletions,
        fileCount: change.files.length,
        files,
      },
    },
  ];
}

/** `3 files, +10 -2`. */
export function sizeOf({ files, insertions, deletions }: ChangeSummary): string {
  return `${files.length} ${files.length === 1 ? 'file' : 'files'}, +${insertions} -${deletions}`;
}

function messageFor({ title, goal, evidence, cost }: DeliveryRequest): string {
  const line = asSubject(title) || 'Work of a task';
  const subject = line.length <= SUBJECT ? line : `${line.slice(0, SUBJECT - 1)}…`;
  const parts = [subject, goal.trim() === title.trim() ? '' : asMaterial(goal), evidence.trim(), cost.trim()];
  return parts.filter((part) => part !== '').join('\n\n');
}
