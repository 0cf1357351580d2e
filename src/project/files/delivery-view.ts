import { errorMessage, LoopwrightError } from '../../kernel/errors.ts';
import type { Delivery } from '../../orchestrator/state/delivery.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from '../sessions/list.ts';
import { baseOf } from './base-branch.ts';
import { type OpenedSession, openKeptSession, refuseOwned } from './opened-session.ts';
import { proofOf } from './session-proof.ts';

/** What became of the files of a session, and what stands against accepting them. */
export interface DeliveryView {
  readonly session: string;
  /** Its files are in a worktree of its own. */
  readonly kept: boolean;
  readonly delivery: Delivery | null;
  readonly base: string | null;
  readonly branch: string | null;
  readonly worktree: string | null;
  readonly changedFiles: number | null;
  /** In words; nothing is changed by asking. */
  readonly against: readonly string[];
}

export async function delivery(opened: OpenProject, written: string): Promise<DeliveryView> {
  const session = findSession(opened.sessions, written);
  const { state } = opened.sessions.load(session);
  const about = { session, kept: state.files !== null, delivery: state.delivery ?? null };
  const nothing = { base: null, branch: null, worktree: null, changedFiles: null };
  try {
    const kept = await openKeptSession(opened, session);
    const base = await said(() => baseOf(kept, undefined));
    const change = await said(() => kept.checkpoints.diff());
    return {
      ...about,
      base: base.value ?? null,
      branch: kept.branch,
      worktree: kept.present ? kept.path : null,
      changedFiles: change.value?.files.length ?? null,
      against: [...base.against, ...change.against, ...(await objections(kept))],
    };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return { ...about, ...nothing, against: [errorMessage(error)] };
  }
}

async function objections(kept: OpenedSession): Promise<readonly string[]> {
  const { status } = kept.snapshot.state;
  const owned = await said(async () => refuseOwned(kept));
  const proof = await said(() => proofOf(kept));
  return [
    ...owned.against,
    ...(status === 'completed' || kept.snapshot.ownerAlive ? [] : [`It has not completed: it is ${status}.`]),
    ...proof.against,
    ...(proof.value?.doubts ?? []),
  ];
}

interface Said<T> {
  readonly value?: T;
  readonly against: readonly string[];
}

/** What a use case would refuse with, as words. */
async function said<T>(look: () => Promise<T>): Promise<Said<T>> {
  try {
    return { value: await look(), against: [] };
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    return { against: [errorMessage(error)] };
  }
}
