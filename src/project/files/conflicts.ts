import { openStore } from '../../store/open.ts';
import type { OpenProject } from '../open.ts';

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
