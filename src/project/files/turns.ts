import type { Plans } from '../../backlog/plans.ts';
import type { ContextSegment } from '../../manifest/segment.ts';
import type { AdmissionPort, Waiting } from '../../orchestrator/engine/admission-port.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { isFinal, isRetryable } from '../../orchestrator/state/status.ts';
import { hasStore, openStore } from '../../store/open.ts';
import { type WaitReason, waitForTurn } from '../../workspace/plan/wait.ts';
import type { Place } from '../place.ts';
import { type Listed, readSession } from '../sessions/list.ts';
import { forgetUnmade } from './unmade-worktree.ts';

/** The session no longer stands in anybody's way. */
export async function leavePlans({ folder }: Place, session: string): Promise<void> {
  forgetUnmade({ folder }, session);
  if (!hasStore(folder)) return;
  const store = openStore(folder);
  try {
    await store.plans.leave(session);
  } finally {
    store.close();
  }
}

export interface TurnOptions {
  readonly plan: readonly string[];
  readonly priority?: number;
  /** Give up instead of waiting. */
  readonly noWait: boolean;
}

export interface Turns extends TurnOptions {
  /** Brings files without work in them up to their base; whether anything moved. */
  readonly refresh: () => Promise<boolean>;
  readonly isBeingMade: IsBeingMade;
  /** Makes the files, where that waits for the turn; undefined when it was cancelled meanwhile. */
  readonly make?: (cancel: AbortSignal) => Promise<readonly ContextSegment[] | undefined>;
}

/** Whether somebody is making what a session needs, which is not stored yet. */
export type IsBeingMade = (session: string) => boolean;

/** Puts a session in line with its plan; whether its way is free, so that there is nothing to wait for. */
export async function standInLine(
  plans: Plans,
  sessions: SessionManager,
  session: string,
  { plan, priority, isBeingMade }: Pick<Turns, 'plan' | 'priority' | 'isBeingMade'>,
): Promise<boolean> {
  await forgetEnded(plans, sessions, isBeingMade);
  await plans.enter(session, plan, priority === undefined ? {} : { priority });
  return (await plans.admit(session)).admitted;
}

/** A session runs only when no other one that is at work or put aside means to change the same files. */
export function turnsOf(plans: Plans, sessions: SessionManager, options: Turns): AdmissionPort {
  const { plan, priority, noWait, refresh, make, isBeingMade } = options;
  return {
    async turn(session, { cancel, onWait }) {
      await forgetEnded(plans, sessions, isBeingMade);
      await plans.enter(session, plan, priority === undefined ? {} : { priority });
      const giveUp = new AbortController();
      const forgotten: Promise<void>[] = [];
      const admitted = await waitForTurn(plans, session, {
        cancel: AbortSignal.any([cancel, giveUp.signal]),
        look: (blocker) => {
          if (blocker.kind === 'task') return {};
          const listed = readSession(sessions, blocker.id);
          if (hasLeft(listed)) forgotten.push(plans.leave(blocker.id));
          return lookAt(listed, session);
        },
        onWait: (reasons) => {
          onWait(inWords(reasons));
          if (noWait) giveUp.abort();
        },
      });
      await Promise.all(forgotten);
      if (admitted && make) {
        const made = await make(cancel);
        return made ? { made } : false;
      }
      // While it waited, others brought their work into the base: it begins with that.
      const isNew = admitted && sessions.load(session).state.step === 0;
      return isNew && (await refresh()) ? 'moved' : admitted;
    },
    leave: (session) => plans.leave(session),
  };
}

/** A process that was killed before its session was stored, or after its end, left its plan behind. */
export async function forgetEnded(
  plans: Plans,
  sessions: SessionManager,
  isBeingMade: IsBeingMade,
): Promise<void> {
  const planned = await plans.sessions();
  if (planned.length === 0) return;
  const stored = new Set(sessions.ids());
  for (const { id } of planned) {
    const isLeft = stored.has(id) ? hasLeft(readSession(sessions, id)) : !isBeingMade(id);
    if (isLeft) await plans.leave(id);
  }
}

function hasLeft(listed: Listed): boolean {
  if ('problem' in listed) return false;
  return isFinal(listed.summary.status);
}

/** A session that will not end by itself makes the wait endless, so whoever waits must know. */
function lookAt(listed: Listed, waiting: string): { stuck?: string } {
  if ('problem' in listed) return { stuck: 'it can no longer be read' };
  const { status, ownerAlive, waitsFor } = listed.summary;
  if (hasLeft(listed)) return {};
  if (isRetryable(status) || status === 'held') return { stuck: `it is ${status}` };
  if (!ownerAlive) {
    return { stuck: status === 'running' ? 'its process is dead' : `it is ${status} and nobody runs it` };
  }
  const inTurn = status === 'waiting' && waitsFor.includes(waiting);
  return inTurn ? { stuck: 'it waits for this one in turn' } : {};
}

function inWords(reasons: readonly WaitReason[]): Waiting {
  const parts = reasons.map(({ kind, id, path, stuck }) => {
    const why = stuck === undefined ? '' : `, and will not end by itself: ${stuck}`;
    return kind === 'task' ? `task ${id} may change ${path}` : `${path} is planned by session ${id}${why}`;
  });
  const sessions = reasons.flatMap(({ kind, id }) => (kind === 'session' ? [id] : []));
  return { message: parts.join('; '), sessions: [...new Set(sessions)] };
}
