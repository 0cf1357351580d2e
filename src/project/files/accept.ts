import { join } from 'node:path';
import { type ActionInput, action } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { oneLine } from '../../kernel/words.ts';
import type { Delivery } from '../../orchestrator/state/delivery.ts';
import type { StatusChange } from '../../orchestrator/state/record.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import type { OpenProject } from '../open.ts';
import { refuseDecidingInside } from '../runs/nested.ts';
import { isTaskId } from '../sessions/find-any.ts';
import { baseOf } from './base-branch.ts';
import type { AcceptCompany } from './check-candidate.ts';
import { type Delivered, deliver } from './deliver.ts';
import { gateChecks } from './gate-checks.ts';
import { lookFirst } from './guard.ts';
import { suspiciousOf } from './inspect-session.ts';
import { leantOn } from './leaning.ts';
import { noteDelivery } from './note-delivery.ts';
import { type OpenedSession, openKeptSession, refuseOwned } from './opened-session.ts';
import { proposeTo } from './propose.ts';
import { messageFor } from './session-message.ts';
import { findFolder, proofOf, repairWith } from './session-proof.ts';
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
  refuseBoth(request);
  if (written !== undefined && (await isTaskId(opened, written))) return acceptTask(opened, written, request);
  const kept = await openKeptSession(opened, written, { orTask: true });
  refuseOwned(kept);
  const { id, path, branch, repo } = kept;
  refuseHaltedForIt(kept);
  const base = await baseOf(kept, request.into);
  const proposing = request.pr ? await proposeTo(opened, repo.dir, base) : undefined;
  await findFolder(kept);
  const { doubts, tree, held } = await proofOf(kept);
  const root = join(path, repo.prefix);
  const gates = await gateChecks(opened, kept.snapshot, {
    tree: doubts.length === 0 ? held : undefined,
    root,
  });
  const checks = { ...gates, leantOn: await leantOn(opened, kept, held) };
  const suspicious = await suspiciousOf(opened, kept, { held, root }, request);
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
      suspicious,
      masker: opened.services.masker,
      acceptSecrets: request.acceptSecrets,
      acceptIt: (input, label) => action('session.accept', label, { ...said(id, request), ...input }),
      repair: () => repairWith(kept, base),
      proposing,
      ...(tree === undefined ? {} : { tree }),
    },
    request,
  );
  await leavePlans(opened.project, id);
  const delivery = deliveryOf(result, base);
  if (delivery) await noteDelivery(opened, id, delivery, endOf(kept.snapshot, request));
  return { session: id, base, ...result };
}

function deliveryOf(result: Delivered, base: string): Omit<Delivery, 'at'> | undefined {
  if (result.kind === 'nothing-to-accept') return undefined;
  const { commit } = result;
  if (result.kind !== 'proposed') return { kind: 'delivered', base, commit };
  return { kind: 'proposed', base, branch: result.branch, commit, url: result.url };
}

/** What a person would say again. */
function said(session: string, { into, pr }: AcceptRequest): ActionInput {
  return { session, ...(into === undefined ? {} : { into }), ...(pr ? { pr } : {}) };
}

function refuseBoth({ pr, merge }: AcceptRequest): void {
  if (!pr || !merge) return;
  throw new UsageError('A pull request is merged where it is opened, so both exclude each other.', {
    next: 'Give one of them.',
  });
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
