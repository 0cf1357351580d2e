import { fromTop } from '../../backlog/change-set.ts';
import { ConflictError } from '../../kernel/errors.ts';
import { hasStore, openStore } from '../../store/open.ts';
import { prefixIn } from '../../workspace/git/prefix.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from '../sessions/list.ts';

/** One path of a plan and who else means to change it. */
export interface PreviewedPath {
  readonly path: string;
  readonly clashes: readonly {
    readonly kind: 'session' | 'task';
    readonly id: string;
    readonly path: string;
  }[];
}

/** Which clashes a plan would have now; nobody enters the line by asking. */
export async function planPreview(
  { project }: OpenProject,
  paths: readonly string[],
): Promise<PreviewedPath[]> {
  if (!hasStore(project.folder)) return paths.map((path) => ({ path, clashes: [] }));
  const store = openStore(project.folder);
  const prefix = prefixIn(project.dir);
  try {
    return await Promise.all(
      paths.map(async (path) => ({ path, clashes: await store.plans.clashes(fromTop(prefix, path)) })),
    );
  } finally {
    store.close();
  }
}

/** A session and what it means to change. */
export interface PlanOf {
  readonly id: string;
  readonly status: 'waiting' | 'active' | 'held';
  readonly priority: number;
  readonly since: number;
  readonly paths: readonly string[];
}

/** Everybody in line with their plans. */
export async function plans({ project }: OpenProject): Promise<PlanOf[]> {
  if (!hasStore(project.folder)) return [];
  const store = openStore(project.folder);
  try {
    const places = await store.plans.sessions();
    return await Promise.all(
      places.map(async (place) => ({ ...place, paths: await store.plans.planOf(place.id) })),
    );
  } finally {
    store.close();
  }
}

/** Adds paths to the plan of a session that is in line; gives who clashes on them. */
export async function extendPlan(
  { project, sessions }: OpenProject,
  written: string,
  paths: readonly string[],
) {
  const session = findSession(sessions, written);
  if (!hasStore(project.folder)) throw new ConflictError(`Session ${session} has no change plan.`);
  const store = openStore(project.folder);
  const prefix = prefixIn(project.dir);
  try {
    const clashes = await store.plans.add(
      session,
      paths.map((path) => fromTop(prefix, path)),
    );
    return { session, paths: await store.plans.planOf(session), clashes };
  } finally {
    store.close();
  }
}
