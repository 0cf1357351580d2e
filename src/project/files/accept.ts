import { type Action, action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { closedGates } from '../../orchestrator/engine/gates.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import { NO_SANDBOX } from '../../process/sandbox/project-sandbox.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { asMaterial, asSubject } from '../../workspace/delivery/message.ts';
import { keep as keepWork } from '../../workspace/delivery/put-away.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { OpenProject } from '../open.ts';
import { refuseDecidingInside } from '../runs/nested.ts';
import { isTaskId } from '../sessions/find-any.ts';
import { bringBack } from './bring-back.ts';
import { ACCEPT_SECRETS, type Delivered, deliver, doubted, refusal, refuseSecrets } from './deliver.ts';
import { lookFirst } from './guard.ts';
import { type OpenedSession, openKeptSession, refuseOwned } from './opened-session.ts';
import { finishRewind } from './pending-rewind.ts';
import { leavePlans } from './turns.ts';

export interface AcceptRequest {
  /** A merge that keeps the commits of the session, instead of one commit. */
  readonly merge?: boolean;
  readonly message?: string;
  /** Although nothing proves the result. */
  readonly unproven?: boolean;
  /** Why secrets in the change may leave; the commit says so. */
  readonly acceptSecrets?: string;
  /** Another branch than the one the session started from. */
  readonly into?: string;
}

export type Accepted = { readonly session: string; readonly base: string } & Delivered;

/** Brings the work of a session into its base branch; the work of a task is accepted with its verdict. */
export async function accept(
  opened: OpenProject,
  written: string | undefined,
  request: AcceptRequest = {},
): Promise<Accepted> {
  refuseDecidingInside();
  if (written !== undefined && (await isTaskId(opened, written))) return acceptTask(opened, written, request);
  const kept = await openKeptSession(opened, written);
  refuseOwned(kept);
  const { id, path, branch, repo } = kept;
  refuseHaltedForIt(kept);
  const base = await baseOf(kept, request.into);
  await findFolder(kept);
  const { doubts, tree } = await proofOf(kept);
  const result = await deliver(
    {
      repo: repo.dir,
      worktree: path,
      branch,
      base,
      session: id,
      mode: request.merge ? 'merge' : 'squash',
      message: request.message ?? messageFor(kept.snapshot),
      doubts,
      masker: opened.services.masker,
      acceptSecrets: request.acceptSecrets,
      ...(tree === undefined ? {} : { tree }),
    },
    request,
  );
  await leavePlans(opened.project, id);
  return { session: id, base, ...result };
}

/** Not even with what is not proven: what was changed beside the session would be run in the person's name. */
function refuseHaltedForIt({ id, snapshot: { state } }: OpenedSession): void {
  if (state.halt?.reason === 'paths')
    throw new ConflictError(`Nothing of session ${id} is accepted: ${state.halt.message}.`, {
      next: action('session.resume', 'Have it undone, or allow exactly these files', {
        session: id,
        allow: state.halt.paths ?? [],
      }),
    });
  if (state.halt?.reason !== 'tampered') return;
  throw new ConflictError(
    `Nothing of session ${id} is accepted before somebody has looked: ${state.halt.message}.`,
    {
      next: lookFirst(id),
    },
  );
}

/** One verdict for both: the branch of a task is accepted by approving the task. */
async function acceptTask(opened: OpenProject, written: string, request: AcceptRequest): Promise<Accepted> {
  const { approveTask } = await import('../backlog/judge.ts');
  const { task, delivered, base, already } = await approveTask(opened, written, {
    merge: request.merge ?? false,
  });
  if (already)
    throw new ConflictError(`Task ${task} is done already: its work was accepted.`, {
      next: action('task.show', 'Look at it', { task }),
    });
  return { session: task, base, ...(delivered ?? { kind: 'nothing-to-accept' }) };
}

/** Leaves the work on its branch, all of it committed. */
export async function keep(
  opened: OpenProject,
  written: string | undefined,
  { message, acceptSecrets }: { readonly message?: string; readonly acceptSecrets?: string } = {},
) {
  const kept = await openKeptSession(opened, written);
  refuseOwned(kept);
  const { id, worktree, repo, path, branch } = kept;
  await findFolder(kept);
  const { doubts, tree } = await proofOf(kept);
  const work = {
    repo: repo.dir,
    base: worktree?.baseCommit ?? (await baseOf(kept, undefined)),
    worktree: path,
    branch,
    session: id,
    message: doubted(message ?? messageFor(kept.snapshot), doubts, 'kept'),
    ...(tree === undefined ? {} : { tree }),
  };
  const acceptWith = action('session.keep', ACCEPT_SECRETS, { session: id, acceptSecrets: '<reason>' });
  const { masker } = opened.services;
  const secrets = await refuseSecrets({ ...work, masker, acceptSecrets, acceptWith });
  const result = await keepWork({ ...work, message: [work.message.trimEnd(), ...secrets].join('\n\n') });
  if (result.kind === 'refused') throw refusal(result);
  await leavePlans(opened.project, id);
  return { session: id, branch, ...result };
}

/** What was not committed yet is only in checkpoints when the folder was deleted by hand. */
async function findFolder({ opened, repo, worktree, present, id, files }: OpenedSession): Promise<void> {
  if (worktree && !present) await bringBack(opened, repo, { id, files });
  else if (worktree) await finishRewind(opened, id, worktree.path);
}

/** A session proves its result by having completed, and its gates prove it on the files as they are now. */
async function proofOf({ snapshot, worktree, branch, repo, path, id }: OpenedSession): Promise<Proof> {
  const { state, manifest } = snapshot;
  // The folder may have been brought back just now, so it is opened anew.
  const tree = worktree ? await new TreeCheckpoints(path, id).tree() : undefined;
  if (state.status !== 'completed') return { doubts: [`it is ${state.status}`], tree };
  if (manifest.gates.length === 0) return { doubts: [], tree };
  const held =
    tree ??
    (
      await new BoundGit(repo.dir).try(['rev-parse', '-q', '--verify', `refs/heads/${branch}^{tree}`])
    ).stdout.trim();
  // Whether anything is left to deliver is for the delivery to say.
  const doubts = held === '' ? [] : closedGates(manifest, state.gates, held).map(({ why }) => why);
  return { doubts, tree };
}

interface Proof {
  /** Why the result is not proven; empty when it is. */
  readonly doubts: readonly string[];
  /** The files that this was found out about; nothing else is delivered. Undefined without a worktree. */
  readonly tree: string | undefined;
}

/** The branch that was named, else the one the session started from, else the one that is checked out. */
async function baseOf({ id, worktree, repo }: OpenedSession, into: string | undefined): Promise<string> {
  if (into !== undefined) return into;
  const started = worktree?.baseName;
  const current = repo.head.kind === 'detached' ? undefined : repo.head.branch;
  const base = started ?? current;
  if (base === undefined) {
    throw new ConflictError('There is no branch to accept into: the checkout has a detached HEAD.', {
      next: intoBranch(id),
    });
  }
  const { code } = await new BoundGit(repo.dir).try(['show-ref', '--verify', '-q', `refs/heads/${base}`]);
  if (code === 0) return base;
  throw new ConflictError(`The session started from ${base}, which is not a branch of this repository.`, {
    next: intoBranch(id),
  });
}

function intoBranch(session: string): Action {
  return action('session.accept', 'Name the branch to accept into', { session, into: '<branch>' });
}

const SUBJECT = 72;

/** A commit message from the goal and from what proves the result. */
function messageFor({ state, manifest }: Snapshot): string {
  const goal = asSubject(state.goal);
  const subject = goal.length <= SUBJECT ? goal : `${goal.slice(0, SUBJECT - 1)}…`;
  const gates = manifest.gates.map((block) => `- ${block}: ${state.gates[block]?.signal ?? 'never ran'}`);
  const evidence =
    gates.length === 0 ? ['No gate was declared: unverified.'] : ['Checked on these files:', ...gates];
  const steps = `${state.used.steps} steps, session ${state.status}`;
  // Whoever reads the commit should know what its steps ran without.
  const open = state.sandbox?.startsWith(NO_SANDBOX) ? [`Its steps ran with ${state.sandbox}.`] : [];
  return [
    subject,
    '',
    ...(goal === subject ? [] : [asMaterial(state.goal), '']),
    ...evidence,
    ...open,
    '',
    steps,
    '',
  ].join('\n');
}
