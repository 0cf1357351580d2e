import { join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import { Backlog } from '../../tasks/backlog/backlog.ts';
import { Findings } from '../../tasks/research/findings.ts';
import { PROFILES, type ResearchProfile, type ResearchStage } from '../../tasks/research/input.ts';
import { runTask } from '../../tasks/run-task.ts';
import { clip, oneLine } from '../display/words.ts';
import type { Screen } from '../output.ts';
import { runtimeDisplay } from '../runtime/display.ts';
import { type OpenRuntime, openRuntime, taskRuntime } from '../runtime/open-runtime.ts';
import { Stops } from '../stops.ts';

const LONGEST_TITLE = 200;

export interface ResearchCommandOptions {
  readonly profile: string;
  readonly dir?: string;
  readonly json?: true;
}

interface Job {
  readonly id: string;
  readonly query: string;
  readonly profile: ResearchProfile;
}

/** All stages of a research job, one task each and one per claim, and the report at the end. */
export async function research(
  screen: Screen,
  query: string,
  options: ResearchCommandOptions,
): Promise<number> {
  const profile = PROFILES.find((known) => known === options.profile);
  if (!profile)
    throw new UsageError(`"${options.profile}" is not a profile.`, {
      next: `Use one of ${PROFILES.join(', ')}.`,
    });
  if (query.trim() === '')
    throw new UsageError('There is no question.', { next: 'loopwright research "<question>"' });
  const runtime = openRuntime(options.dir);
  const stopping = new AbortController();
  const stops = new Stops(screen, { interrupt: () => stopping.abort(), lastWord: () => undefined });
  const json = options.json ?? false;
  try {
    const job = { id: runtime.opened.services.sessions.newId(), query, profile };
    const worked = new Stages(runtime, job, screen, { json, stop: stopping.signal });
    if (!(await worked.plan())) return stops.exitCode ?? 2;
    const findings = new Findings(runtime.database);
    for (const stage of ['collect', 'challenge'] as const) {
      for (const { text } of (await findings.known(job.id)).claims)
        if (!(await worked.run(stage, text))) return stops.exitCode ?? 2;
    }
    if (!(await worked.run('write'))) return stops.exitCode ?? 2;
    const file = join(runtime.opened.config.stateDir, 'research', job.id, 'report.md');
    const known = await findings.known(job.id);
    if (json)
      screen.json({
        type: 'result',
        job: job.id,
        report: file,
        claims: known.claims.length,
        sources: known.evidence.length,
      });
    else
      screen.line(
        `${screen.style.green('report')} ${file}  ${screen.style.dim(`${known.claims.length} claims, ${known.evidence.length} sources`)}`,
      );
    return 0;
  } finally {
    stops.close();
    runtime.database.close();
  }
}

/** Adds the task of a stage and runs it here; false when it did not come to its end. */
class Stages {
  readonly #runtime: OpenRuntime;
  readonly #job: Job;
  readonly #tell;
  readonly #stop: AbortSignal;

  constructor(
    runtime: OpenRuntime,
    job: Job,
    screen: Screen,
    options: { readonly json: boolean; readonly stop: AbortSignal },
  ) {
    this.#runtime = runtime;
    this.#job = job;
    this.#tell = runtimeDisplay(screen, options);
    this.#stop = options.stop;
  }

  plan(): Promise<boolean> {
    return this.run('plan');
  }

  async run(stage: ResearchStage, claim?: string): Promise<boolean> {
    const { database, scheduler, settings } = this.#runtime;
    const { id, query, profile } = this.#job;
    // A model wrote the claim: a title has one line and an end.
    const title = clip(oneLine(`${stage}: ${claim ?? query}`), LONGEST_TITLE);
    const context = {
      research: { jobId: id, query, stage, profile, ...(claim === undefined ? {} : { claim }) },
    };
    const { added } = await new Backlog(database).add([
      { title, goal: query, kind: 'research', context, priority: 0 },
    ]);
    const [only] = added;
    if (only === undefined) return false;
    const agents = [settings.agents.worker];
    const claimed = await scheduler.claim({
      agentId: settings.id,
      role: 'worker',
      agents,
      mode: 'direct',
      leaseMs: settings.leaseMs,
      only,
    });
    if (!claimed) return false;
    const runtime = taskRuntime(this.#runtime, this.#tell);
    this.#tell({ task: only, type: 'task.claimed', claim: claimed });
    const release = await runTask(runtime, claimed, this.#stop);
    return release?.state === 'done' || (release?.state === 'blocked' && release.block === 'awaiting_judge');
  }
}
