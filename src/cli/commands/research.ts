import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import { count } from '../../kernel/words.ts';
import { type OpenRuntime, openRuntime } from '../../project/runtime/open-runtime.ts';
import { type Job, knownJob, newJob } from '../../project/runtime/research-job.ts';
import { Stages } from '../../project/runtime/research-stages.ts';
import type { Screen } from '../output.ts';
import { runtimeDisplay } from '../runtime/display.ts';
import { RunningTasks } from '../runtime/running-tasks.ts';
import { Stops } from '../stops.ts';

export interface ResearchCommandOptions {
  readonly profile?: string;
  readonly continue?: string;
  readonly dir?: string;
  readonly json?: true;
}

const UNFINISHED = 2;

/** All stages of a research job, one task each and one per claim, and the report at the end. */
export async function research(
  screen: Screen,
  query: string | undefined,
  options: ResearchCommandOptions,
): Promise<number> {
  const runtime = openRuntime(options.dir);
  const stopping = new AbortController();
  const running = new RunningTasks();
  let job: Job | undefined;
  const stops = new Stops(screen, {
    interrupt: () => stopping.abort(),
    lastWord: () => {
      running.kill();
      if (job) tellUnfinished(screen, runtime, job, 'it was ended at once', options);
    },
  });
  try {
    job = await jobOf(runtime, query, options);
    const display = runtimeDisplay(screen, { json: options.json ?? false });
    const tell: typeof display = (event) => {
      running.event(event);
      display(event);
    };
    const stages = new Stages(runtime, job, { tell, stop: stopping.signal });
    const unfinished = await throughStages(runtime, job, stages);
    if (unfinished !== undefined) {
      tellUnfinished(screen, runtime, job, unfinished, options);
      return stops.exitCode ?? UNFINISHED;
    }
    await tellReport(screen, runtime, job, options);
    return 0;
  } finally {
    stops.close();
    runtime.store.close();
  }
}

async function jobOf(
  { store, opened }: OpenRuntime,
  query: string | undefined,
  options: ResearchCommandOptions,
): Promise<Job> {
  if (options.continue === undefined)
    return newJob(opened.services.sessions.newId(), query, options.profile ?? 'mid');
  if (query !== undefined || options.profile !== undefined)
    throw new UsageError('A job that is gone on with keeps its question and its profile.', {
      next: `loopwright research --continue ${options.continue}`,
    });
  return knownJob(store.backlog, options.continue);
}

/** Undefined when the report is written, else which stage is not over and why. */
async function throughStages(
  { store: { findings } }: OpenRuntime,
  job: Job,
  stages: Stages,
): Promise<string | undefined> {
  const planned = await stages.run('plan');
  if (planned !== undefined) return planned;
  for (const stage of ['collect', 'challenge'] as const) {
    for (const claim of (await findings.known(job.id)).claims) {
      const unfinished = await stages.run(stage, claim);
      if (unfinished !== undefined) return unfinished;
    }
  }
  return stages.run('write');
}

function tellUnfinished(
  screen: Screen,
  { opened }: OpenRuntime,
  job: Job,
  unfinished: string,
  { json }: ResearchCommandOptions,
): void {
  const next = opened.project.command('research', '--continue', job.id);
  if (json) return screen.json({ type: 'result', job: job.id, unfinished, next });
  screen.line(screen.style.yellow(`The job is not finished: ${unfinished}. What was found is kept.`));
  return screen.line(`${screen.style.cyan('next:')} ${next}`);
}

async function tellReport(
  screen: Screen,
  { opened, store }: OpenRuntime,
  job: Job,
  { json }: ResearchCommandOptions,
): Promise<void> {
  const report = join(opened.config.stateDir, 'research', job.id, 'report.md');
  const known = await store.findings.known(job.id);
  const [claims, sources] = [known.claims.length, known.evidence.length];
  const sourced = new Set(known.evidence.map(({ claim }) => claim));
  const unsourced = known.claims.filter(({ text }) => !sourced.has(text)).length;
  if (json) return screen.json({ type: 'result', job: job.id, report, claims, sources, unsourced });
  const { green, dim, yellow } = screen.style;
  screen.line(
    `${green('report')} ${report}  ${dim(`${count(claims, 'claim')}, ${count(sources, 'source')}`)}`,
  );
  if (unsourced > 0) screen.line(yellow(`! ${count(unsourced, 'claim')} without any source: see the report`));
}
