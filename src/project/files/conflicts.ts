import { openStore } from '../../store/open.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from '../sessions/list.ts';

/** Which sessions mean to change what, and who clashes with whom: sessions and tasks alike. */
export async function conflicts({ project }: OpenProject) {
  const store = openStore(project.folder);
  const { plans } = store;
  try {
    const [sessions, found] = await Promise.all([plans.sessions(), plans.conflicts()]);
    return { sessions, conflicts: found };
  } finally {
    store.close();
  }
}

/** What a session means to change: its change plan, from the top of the repository. */
export async function plan(
  { project, sessions }: OpenProject,
  written: string | undefined,
): Promise<{ readonly session: string; readonly paths: readonly string[] }> {
  const session = findSession(sessions, written);
  const store = openStore(project.folder);
  try {
    return { session, paths: await store.plans.planOf(session) };
  } finally {
    store.close();
  }
}
