import type { RuntimeRow } from '../../backlog/runtimes.ts';
import { hasStore, openStore } from '../../store/open.ts';
import { findProject, type Project } from '../place.ts';

/** The runtimes that work on the backlog of a project, the oldest first. */
export async function listRuntimes(
  dir?: string,
): Promise<{ project: Project; runtimes: readonly RuntimeRow[] }> {
  const project = findProject(dir);
  if (!hasStore(project.folder)) return { project, runtimes: [] };
  const store = openStore(project.folder);
  try {
    return { project, runtimes: await store.runtimes.list() };
  } finally {
    store.close();
  }
}
