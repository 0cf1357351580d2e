import type { RuntimeRow } from '../../backlog/runtimes.ts';
import { hasStore, openStore } from '../../store/open.ts';
import type { OpenProject } from '../open.ts';

/** The runtimes that work on the backlog of a project, the oldest first. */
export async function runtimes({ project }: OpenProject): Promise<readonly RuntimeRow[]> {
  if (!hasStore(project.folder)) return [];
  const store = openStore(project.folder);
  try {
    return await store.runtimes.list();
  } finally {
    store.close();
  }
}
