import type { Config } from '../../config/load-config.ts';
import { count, money } from '../../kernel/words.ts';
import type { Budget } from '../../manifest/definition.ts';
import { ENOUGH } from '../../tasks/research/input.ts';
import { LONGEST_MINUTES } from '../../tasks/runtime/flow.ts';
import { capsOf, SpendMeter, waitWords } from '../runs/spend-meter.ts';
import { sessionBudget } from '../runs/start.ts';
import type { OpenRuntime } from './open-runtime.ts';
import type { ResearchJob } from './research-job.ts';

/** What holds for a job, from its profile and from the configuration. */
export function limitsOf({ opened: { config }, settings }: OpenRuntime, { profile }: ResearchJob): string[] {
  const { claims, sources, domains, searches } = ENOUGH[profile];
  const each = `each with ${count(sources, 'source')} of ${count(domains, 'domain')}`;
  const opposite = `${searches === 1 ? 'a search' : `${searches} searches`} for the opposite`;
  const budget = budgetWords(sessionBudget(config));
  return [
    `profile ${profile}: at most ${count(claims, 'claim')}, ${each} and ${opposite}`,
    `each stage may take ${LONGEST_MINUTES} minutes${budget === '' ? '' : ` and use ${budget}`}`,
    `an answer that cannot be read is asked for ${count(settings.research.reasks, 'more time')}`,
    ...capWords(config.budget),
  ];
}

/** What is used up already: then no stage is started. */
export async function capsReached({ opened, store }: OpenRuntime): Promise<string[]> {
  const reached = await new SpendMeter(store, capsOf(opened.config.budget)).full();
  return reached ? [`nothing is started before there is more of ${waitWords(reached)}`] : [];
}

function capWords({ day, project }: Config['budget']): string[] {
  const named = [
    ['a day', day],
    ['altogether', project],
  ] as const;
  return named.flatMap(([per, caps]) => {
    const words = budgetWords(caps ?? {});
    return words === '' ? [] : [`all runs of the project may use ${words} ${per}`];
  });
}

function budgetWords({ steps, tokens, usd, minutes, runs }: Budget & { readonly runs?: number }): string {
  const parts = [
    runs === undefined ? [] : [count(runs, 'run')],
    steps === undefined ? [] : [count(steps, 'step')],
    tokens === undefined ? [] : [count(tokens, 'token')],
    usd === undefined ? [] : [`${money(usd)} USD`],
    minutes === undefined ? [] : [count(minutes, 'minute')],
  ];
  return parts.flat().join(', ');
}
