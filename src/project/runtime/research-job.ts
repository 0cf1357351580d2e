import type { Backlog } from '../../backlog/backlog.ts';
import { UsageError } from '../../kernel/errors.ts';
import { PROFILES, type ResearchProfile, researchInput } from '../../tasks/research/input.ts';
import { matchSession } from '../sessions/find-id.ts';

/** A question on its way through the stages. */
export interface Job {
  readonly id: string;
  readonly query: string;
  readonly profile: ResearchProfile;
}

export function newJob(id: string, query: string | undefined, written: string): Job {
  const profile = PROFILES.find((known) => known === written);
  if (!profile)
    throw new UsageError(`"${written}" is not a profile.`, {
      next: `Use one of ${PROFILES.join(', ')}.`,
    });
  if (query === undefined || query.trim() === '')
    throw new UsageError('There is no question.', {
      next: 'loopwright research "<question>", or --continue <job> for one that was stopped.',
    });
  return { id, query, profile };
}

/** The job that was begun earlier: named by its own id, or by that of one of its tasks. */
export async function knownJob(backlog: Backlog, written: string): Promise<Job> {
  const jobOf = new Map<string, Job>();
  for (const task of await backlog.list()) {
    if (task.kind !== 'research') continue;
    const { job: id, query, profile } = researchInput(task);
    const job = { id, query, profile };
    jobOf.set(id, job).set(task.id, job);
  }
  const wanted = written.toUpperCase();
  const fits = (id: string): boolean =>
    id.toUpperCase().startsWith(wanted) || id.toUpperCase().endsWith(wanted);
  const jobs = new Set([...jobOf].filter(([id]) => fits(id)).map(([, { id }]) => id));
  const [only] = jobs;
  const job = jobs.size === 1 && only !== undefined ? jobOf.get(only) : undefined;
  if (job) return job;
  if (jobs.size > 1) matchSession(written, [...jobs], (id) => jobOf.get(id)?.query ?? '');
  throw new UsageError(`There is no research job "${written}" in this project.`, {
    next: 'Its tasks are listed by `loopwright task list --all`; any of them names it.',
  });
}
