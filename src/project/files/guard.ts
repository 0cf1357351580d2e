import { join } from 'node:path';
import { type Action, action } from '../../kernel/action.ts';
import { ConflictError } from '../../kernel/errors.ts';
import type { SessionState } from '../../orchestrator/state/session-state.ts';
import { changedSinceSession, renewBefore, SessionGuard } from '../../workspace/guard/session-guard.ts';
import type { OpenProject, ProjectSessions } from '../open.ts';

/** Looks at once: made before anything is started for the session. */
export function guardOf(
  { project, services }: OpenProject,
  session: string,
  status?: SessionState['status'],
): SessionGuard {
  const places = {
    repoDir: project.dir,
    stateDir: project.folder,
    sessionDir: join(project.sessions, session),
    isWalled: async () => (await services.sandbox?.isWalled()) ?? false,
  };
  return new SessionGuard(places, { crashed: status === 'running' });
}

/**
 * Nothing of a session is looked at with git, or delivered, while the repository is as an agent of it may have left it:
 * after it halted for that, or when it was cut off in the middle of a step.
 */
export function refuseTampered({ project, sessions }: ProjectSessions, session: string): void {
  const { state, ownerAlive } = sessions.load(session);
  const isCutOff = state.status === 'running' && !ownerAlive;
  if (!isCutOff && state.halt?.reason !== 'tampered') return;
  const changed = changedSinceSession(join(project.sessions, session), project.dir);
  if (changed.length === 0) return;
  throw new ConflictError(
    `Nothing of session ${session} is touched before somebody has looked: these changed since it began: ${changed.join(', ')}.`,
    { next: lookFirst(session) },
  );
}

/** The same for a session that was cut off and is to go on: once it was told, whoever goes on has seen it. */
export function refuseOnce({ project, sessions }: ProjectSessions, session: string): void {
  try {
    if (sessions.load(session).state.status === 'running') refuseTampered({ project, sessions }, session);
  } catch (error) {
    renewBefore(join(project.sessions, session), project.dir);
    throw error;
  }
}

export function lookFirst(session: string): Action {
  return action('session.resume', 'Put back what you did not do yourself, then let the session go on', {
    session,
  });
}
