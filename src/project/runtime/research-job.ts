import type { Backlog } from '../../backlog/backlog.ts';
import { action } from '../../kernel/action.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import { PROFILES, type ResearchProfile, researchInput } from '../../tasks/research/input.ts';
import { fitsId } from '../sessions/find-any.ts';
import { matchSession } from '../sessions/find-id.ts';

/** A question on its way through the stages. */
export interface ResearchJob {
  readonly id: string;
  readonly query: string;
  readonly profile: ResearchProfile;
}

export function newJob(id: string, query: string, written: string): ResearchJob {
  const profile = PROFILES.find((known) => known === written);
  if (!profile)
    throw new UsageError(`"${written}" is not a profile.`, {
      next: `Use one of ${PROFILES.join(', ')}.`,
    });
  return { id, query, profile };
}

/** The job that was begun earlier: named by its own id, or by that of one of its tasks. */
export async function knownJob(backlog: Backlog, written: string): Promise<ResearchJob> {
  const jobOf = new Map<string, ResearchJob>();
  for (const task of await backlog.list()) {
    if (task.kind !== 'research') continue;
    const { job: id, query, profile } = researchInput(task);
    const job = { id, query, profile };
    jobOf.set(id, job).set(task.id, job);
  }
  const jobs = new Set([...jobOf].filter(([id]) => fitsId(id, written)).map(([, { id }]) => id));
  const [only] = jobs;
  const job = jobs.size === 1 && only !== undefined ? jobOf.get(only) : undefined;
  if (job) return job;
  if (jobs.size > 1) matchSession(written, [...jobs], (id) => jobOf.get(id)?.query ?? '');
  throw new NotFoundError(`There is no research job "${written}" in this project.`, {
    next: action('task.list', 'Any of its tasks names it. List them', { all: true }),
  });
}
