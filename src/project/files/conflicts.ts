import type { OpenProject } from '../open.ts';
import { openPlans } from './turns.ts';

/** Which sessions mean to change what, and which of them clash. */
export async function conflicts({ project }: OpenProject) {
  const { plans, database } = openPlans(project);
  try {
    const [sessions, found] = await Promise.all([plans.sessions(), plans.conflicts()]);
    return { sessions, conflicts: found };
  } finally {
    database.close();
  }
}
