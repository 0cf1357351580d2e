import type { Known } from '../../backlog/findings.ts';
import type { Task } from '../../backlog/task.ts';
import { hasStore, openStore, type Store } from '../../store/open.ts';
import { researchInput } from '../../tasks/research/input.ts';
import { type Standing, standings } from '../../tasks/research/standing.ts';
import type { OpenProject } from '../open.ts';
import { knownJob } from './research-job.ts';

/** A research job as a list shows it. */
export interface ResearchEntry {
  readonly job: string;
  readonly query: string;
  readonly profile: string;
  readonly tasks: number;
  readonly done: number;
  readonly updatedAt: number;
}

/** The research jobs of a project, the newest first. */
export function researchJobs(opened: OpenProject): Promise<ResearchEntry[]> {
  return withStore(opened, [], async ({ backlog }) => {
    const jobs = new Map<string, ResearchEntry>();
    for (const task of await backlog.list()) {
      if (task.kind !== 'research') continue;
      const { job, query, profile } = researchInput(task);
      const known = jobs.get(job) ?? { job, query, profile, tasks: 0, done: 0, updatedAt: 0 };
      jobs.set(job, {
        ...known,
        tasks: known.tasks + 1,
        done: known.done + (task.state === 'done' ? 1 : 0),
        updatedAt: Math.max(known.updatedAt, task.updatedAt),
      });
    }
    return [...jobs.values()].sort((a, b) => b.updatedAt - a.updatedAt);
  });
}

export interface ResearchView extends Known {
  readonly job: string;
  readonly query: string;
  readonly profile: string;
  /** How each claim stands against the profile. */
  readonly standings: readonly Standing[];
  readonly tasks: readonly (Pick<Task, 'id' | 'title' | 'state' | 'updatedAt'> & {
    readonly stage: string;
  })[];
  readonly report: { readonly body: string; readonly confidence: number | null } | null;
}

/** Everything that a research job has found so far. */
export async function researchJob(opened: OpenProject, written: string): Promise<ResearchView> {
  const store = openStore(opened.project.folder);
  try {
    const { id, query, profile } = await knownJob(store.backlog, written);
    const known = await store.findings.known(id);
    const tasks = (await store.backlog.list()).filter(
      (task) => task.kind === 'research' && researchInput(task).job === id,
    );
    return {
      job: id,
      query,
      profile,
      ...known,
      standings: standings(known, profile),
      tasks: tasks.map((task) => {
        const { id: own, title, state, updatedAt } = task;
        return { id: own, title, state, updatedAt, stage: researchInput(task).stage };
      }),
      report: (await store.findings.report(id)) ?? null,
    };
  } finally {
    store.close();
  }
}

async function withStore<T>(
  { project }: OpenProject,
  none: T,
  look: (store: Store) => Promise<T>,
): Promise<T> {
  if (!hasStore(project.folder)) return none;
  const store = openStore(project.folder);
  try {
    return await look(store);
  } finally {
    store.close();
  }
}
