import type { Task } from '../../backlog/task.ts';
import { isJsonObject } from '../../kernel/json.ts';

export type ResearchStage = 'plan' | 'collect' | 'challenge' | 'write';
export type ResearchProfile = 'low' | 'mid' | 'high' | 'ultra';

/** What a research task is about. */
export interface ResearchInput {
  readonly job: string;
  readonly query: string;
  readonly stage: ResearchStage;
  readonly profile: ResearchProfile;
  /** The claim that this task is about; absent: all of the job. */
  readonly claim?: string;
}

const STAGES: { readonly [word: string]: ResearchStage } = {
  plan: 'plan',
  planning: 'plan',
  decompose: 'plan',
  collect: 'collect',
  challenge: 'challenge',
  challenging: 'challenge',
  counter: 'challenge',
  countercheck: 'challenge',
  write: 'write',
  compose: 'write',
  composing: 'write',
  report: 'write',
};

export const PROFILES: readonly ResearchProfile[] = ['low', 'mid', 'high', 'ultra'];

/** Reads `task.context.research`; what is missing or unknown has a default. */
export function researchInput(task: Pick<Task, 'id' | 'title' | 'goal' | 'context'>): ResearchInput {
  const given = task.context?.['research'];
  const said = isJsonObject(given) ? given : {};
  const text = (key: string): string => (typeof said[key] === 'string' ? said[key].trim() : '');
  const claim = text('claim');
  return {
    job: text('jobId') || task.id,
    query:
      text('query') ||
      claim ||
      [task.title, task.goal].filter((part, index, all) => all.indexOf(part) === index).join('\n'),
    stage: STAGES[text('stage').toLowerCase()] ?? 'collect',
    profile: PROFILES.find((profile) => profile === text('profile').toLowerCase()) ?? 'mid',
    ...(claim === '' ? {} : { claim }),
  };
}

/** How much is enough, by profile: so many claims at most, and for each claim so many of the others at least. */
export const ENOUGH: {
  readonly [profile in ResearchProfile]: {
    readonly claims: number;
    readonly sources: number;
    readonly domains: number;
    /** Searches for the opposite, unless a fetched source speaks against it. */
    readonly searches: number;
  };
} = {
  low: { claims: 4, sources: 2, domains: 1, searches: 1 },
  mid: { claims: 6, sources: 3, domains: 2, searches: 1 },
  high: { claims: 8, sources: 4, domains: 3, searches: 2 },
  ultra: { claims: 10, sources: 6, domains: 4, searches: 3 },
};
