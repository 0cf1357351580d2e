import { SessionManager } from '../orchestrator/state/session-manager.ts';
import { findProject, type Project } from './place.ts';

/** Only the sessions: looking at them must work even when the configuration is broken. */
export function openSessions(dir?: string): { project: Project; sessions: SessionManager } {
  const project = findProject(dir);
  return { project, sessions: SessionManager.onDisk(project.sessions) };
}
