import { join } from 'node:path';
import { type Action, action } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { oneLine } from '../../kernel/words.ts';
import { closedGates } from '../../orchestrator/engine/gates.ts';
import type { StatusChange } from '../../orchestrator/state/record.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import { NO_SANDBOX } from '../../process/sandbox/project-sandbox.ts';
import { hardChanges, latestSuspicious } from '../../verification/suspicious/segment.ts';
import { TreeCheckpoints } from '../../workspace/checkpoints/tree-checkpoints.ts';
import { asMaterial, asSubject } from '../../workspace/delivery/message.ts';
import { keep as keepWork } from '../../workspace/delivery/put-away.ts';
import { BoundGit } from '../../workspace/git/bound-git.ts';
import type { OpenProject } from '../open.ts';
import { refuseDecidingInside } from '../runs/nested.ts';
import { isTaskId } from '../sessions/find-any.ts';
import { bringBack } from './bring-back.ts';
import type { AcceptCompany } from './check-candidate.ts';
import { type Check, checkLines } from './checks.ts';
import { ACCEPT_SECRETS, type Delivered, deliver, doubted, refusal, refuseSecrets } from './deliver.ts';
import { gateChecks } from './gate-checks.ts';
import { lookFirst } from './guard.ts';
import { noteDelivery } from './note-delivery.ts';
import { type OpenedSession, openKeptSession, refuseOwned } from './opened-session.ts';
import { finishRewind } from './pending-rewind.ts';
import { proposeTo } from './propose.ts';
import { leavePlans } from './turns.ts';

export interface AcceptRequest extends AcceptCompany {
  /** As a pull request on the remote, instead of a commit on the local base. */
  readonly pr?: boolean;
  /** A merge that keeps the commits of the session, instead of one commit. */
  readonly merge?: boolean;
  readonly message?: string;
  /** Although nothing proves the result. */
  readonly unproven?: boolean;
  /** Why changes that make its checks worth less may be delivered; the commit says so. */
  readonly suspicious?: string;
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
  if (request.pr && request.merge)
    throw new UsageError('A pull request is merged where it is opened, so both exclude each other.', {
      next: 'Give one of them.',
    });
  if (written !== undefined && (await isTaskId(opened, written))) return acceptTask(opened, written, request);
  const kept = await openKeptSession(opened, written);
  refuseOwned(kept);
  const { id, path, branch, repo } = kept;
  refuseHaltedForIt(kept);
  const base = await baseOf(kept, request.into);
  const into = request.into === undefined ? {} : { into: request.into };
  const pr = request.pr ? { pr: true } : {};
  const proposing = request.pr ? await proposeTo(opened, repo.dir, base) : undefined;
  await findFolder(kept);
  const { doubts, tree, held } = await proofOf(kept);
  const root = join(path, repo.prefix);
  const checks = await gateChecks(opened, kept.snapshot, {
    tree: doubts.length === 0 ? held : undefined,
    root,
  });
  const result = await deliver(
    {
      opened,
      repo: repo.dir,
      worktree: path,
      branch,
      base,
      session: id,
      who: `session ${id}`,
      mode: request.merge ? 'merge' : 'squash',
      message: (found) => request.message ?? messageFor(kept.snapshot, found),
      doubts,
      checks,
      suspicious: latestSuspicious(kept.snapshot.state.history.segments()),
      masker: opened.services.masker,
      acceptSecrets: request.acceptSecrets,
      acceptIt: (input, label) => action('session.accept', label, { session: id, ...into, ...pr, ...input }),
      repair: () => repairWith(kept, base),
      proposing,
      ...(tree === undefined ? {} : { tree }),
    },
    request,
  );
  await leavePlans(opened.project, id);
  if (result.kind !== 'nothing-to-accept') {
    const { commit } = result;
    const delivery =
      result.kind === 'proposed'
        ? ({ kind: 'proposed', base, branch, commit, url: result.url } as const)
        : ({ kind: 'delivered', base, commit } as const);
    await noteDelivery(opened, id, delivery, endOf(kept.snapshot, request));
  }
  return { session: id, base, ...result };
}

/** Not even with what is not proven: what was changed beside the session would be run in the person's name. */
function refuseHaltedForIt({ id, snapshot: { state } }: OpenedSession): void {
  if (state.halt?.reason !== 'tampered') return;
  throw new ConflictError(
    `Nothing of session ${id} is accepted before somebody has looked: ${state.halt.message}.`,
    {
      next: lookFirst(id),
    },
  );
}

/** With the word of a person, a session that halted over suspicious changes has come to its end. */
function endOf({ state }: Snapshot, { suspicious }: AcceptRequest): StatusChange | undefined {
  if (state.halt?.reason !== 'suspicious' || suspicious === undefined) return undefined;
  return { to: 'completed', reason: `suspicious changes were accepted by a person: ${oneLine(suspicious)}` };
}

/** One verdict for both: the branch of a task is accepted by approving the task. */
async function acceptTask(opened: OpenProject, written: string, request: AcceptRequest): Promise<Accepted> {
  if (request.pr)
    throw new UsageError('The work of a task becomes a pull request when it runs in github mode.', {
      next: 'Set REPO_MODE=github and REPO_URL, or accept it into its base branch here.',
    });
  const { approveTask } = await import('../backlog/judge.ts');
  const { task, delivered, base, already } = await approveTask(opened, written, request);
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
  const checks = await gateChecks(opened, kept.snapshot, { tree: undefined, root: join(path, repo.prefix) });
  const work = {
    repo: repo.dir,
    base: worktree?.baseCommit ?? (await baseOf(kept, undefined)),
    worktree: path,
    branch,
    session: id,
    message: doubted(message ?? messageFor(kept.snapshot, checks.seen), doubts, 'kept'),
    ...(tree === undefined ? {} : { tree }),
  };
  const acceptWith = action('session.keep', ACCEPT_SECRETS, { session: id, acceptSecrets: '<reason>' });
  const { masker } = opened.services;
  const secrets = await refuseSecrets({ ...work, masker, acceptSecrets, acceptWith });
  const result = await keepWork({ ...work, message: [work.message.trimEnd(), ...secrets].join('\n\n') });
  if (result.kind === 'refused') throw refusal(result);
  await leavePlans(opened.project, id);
  await noteDelivery(opened, id, { kind: 'kept', branch, commit: result.commit });
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
  const held = tree ?? (await treeOfBranch(repo.dir, branch));
  if (!isEnded(snapshot)) return { doubts: [`it is ${state.status}`], tree, held };
  if (manifest.gates.length === 0) return { doubts: [], tree, held };
  // Whether anything is left to deliver is for the delivery to say.
  const doubts = held === undefined ? [] : closedGates(manifest, state.gates, held).map(({ why }) => why);
  return { doubts, tree, held };
}

interface Proof {
  /** Why the result is not proven; empty when it is. */
  readonly doubts: readonly string[];
  /** The files that this was found out about; nothing else is delivered. Undefined without a worktree. */
  readonly tree: string | undefined;
  /** The same, from its branch where there is no worktree. */
  readonly held: string | undefined;
}

/** One that halted over suspicious changes has come to its end but for the word of a person, who gives it here. */
function isEnded({ state: { status, halt, history } }: Snapshot): boolean {
  if (status === 'completed') return true;
  const found = halt?.reason === 'suspicious' ? latestSuspicious(history.segments()) : undefined;
  return found !== undefined && hardChanges(found).length > 0;
}

async function treeOfBranch(repo: string, branch: string): Promise<string | undefined> {
  const args = ['rev-parse', '-q', '--verify', `refs/heads/${branch}^{tree}`];
  const { code, stdout } = await new BoundGit(repo).try(args);
  return code === 0 ? stdout.trim() : undefined;
}

/** Taken back before its last check, it meets what the base has now and can be repaired by its own flow. */
function repairWith({ id, path, snapshot: { state } }: OpenedSession, base: string): Action {
  return action(
    'session.rewind',
    `Take it back to before its last check, merge ${base} in ${path} and resume it: then it is checked, and repaired, with what ${base} has now`,
    { session: id, step: Math.max(0, state.step - 1) },
  );
}

/** The branch that was named, else the one the session started from, else the one that is checked out. */
export async function baseOf(
  { id, worktree, repo }: OpenedSession,
  into: string | undefined,
): Promise<string> {
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
function messageFor({ state }: Snapshot, checks: readonly Check[]): string {
  const goal = asSubject(state.goal);
  const subject = goal.length <= SUBJECT ? goal : `${goal.slice(0, SUBJECT - 1)}…`;
  const evidence =
    checks.length === 0 ? ['No gate was declared: unverified.'] : ['Checked:', ...checkLines(checks)];
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
