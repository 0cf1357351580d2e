import { join } from 'node:path';
import type { AdmissionPort, Waiting } from '../../orchestrator/engine/admission-port.ts';
import type { SessionManager } from '../../orchestrator/state/session-manager.ts';
import { Database } from '../../store/database.ts';
import { ChangePlans } from '../../workspace/plan/change-plans.ts';
import { type WaitReason, waitForTurn } from '../../workspace/plan/wait.ts';
import type { Project } from '../project.ts';

/** The change plans of a project and the database they live in. */
export interface Plans {
  readonly plans: ChangePlans;
  readonly database: Database;
}

export function openPlans(project: Project): Plans {
  const database = Database.open(join(project.folder, 'loopwright.db'));
  return { plans: new ChangePlans(database), database };
}

export interface TurnOptions {
  readonly plan: readonly string[];
  readonly priority?: number;
  /** Give up instead of waiting. */
  readonly noWait: boolean;
}

/** A session runs only when no other one that is at work or put aside means to change the same files. */
export function turnsOf(
  { plans, database }: Plans,
  sessions: SessionManager,
  options: TurnOptions,
): AdmissionPort {
  const { plan, priority, noWait } = options;
  return {
    async turn(session, { cancel, onWait }) {
      await plans.enter(session, plan, { at: Date.now(), ...(priority === undefined ? {} : { priority }) });
      const giveUp = new AbortController();
      return waitForTurn(plans, database, session, {
        cancel: AbortSignal.any([cancel, giveUp.signal]),
        look: (blocker) => lookAt(sessions, blocker),
        onWait: (reasons) => {
          onWait(inWords(reasons));
          if (noWait) giveUp.abort();
        },
      });
    },
    leave: (session) => plans.leave(session),
  };
}

/** A session that will not end by itself makes the wait endless, so whoever waits must know. */
function lookAt(sessions: SessionManager, id: string): { stuck?: string } {
  try {
    const { session, ownerAlive } = sessions.load(id);
    if (session.status === 'running' && !ownerAlive) return { stuck: 'its process is dead' };
    if (session.status === 'halted' || session.status === 'failed' || session.status === 'held') {
      return { stuck: `it is ${session.status}` };
    }
    return {};
  } catch (error) {
    if (error instanceof Error) return { stuck: 'it cannot be read any more' };
    throw error;
  }
}

function inWords(reasons: readonly WaitReason[]): Waiting {
  const parts = reasons.map(({ session, path, stuck }) => {
    const why = stuck === undefined ? '' : `, and will not end by itself: ${stuck}`;
    return `${path} is planned by session ${session}${why}`;
  });
  return { message: parts.join('; '), sessions: [...new Set(reasons.map((reason) => reason.session))] };
}
