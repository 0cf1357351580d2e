import { join } from 'node:path';
import { action } from '../../kernel/action.ts';
import { UsageError } from '../../kernel/errors.ts';
import { Emitter, type EventStream, HeldEvents } from '../../kernel/events.ts';
import { type Standing, standings } from '../../tasks/research/standing.ts';
import type { TaskRuntimeEvent } from '../../tasks/run-task.ts';
import type { OpenProject } from '../open.ts';
import { refuseInside } from '../runs/nested.ts';
import { requireResearcher } from './choose-agent.ts';
import { type OpenRuntime, openRuntime } from './open-runtime.ts';
import { knownJob, newJob, type ResearchJob } from './research-job.ts';
import { capsReached, limitsOf } from './research-limits.ts';
import { Stages } from './research-stages.ts';
import { RunningTasks } from './running-tasks.ts';
import { type JsonTaskEvent, jsonTaskEvent } from './task-event.ts';

export type ResearchRequest =
  | { readonly question: string; readonly profile?: string }
  /** A job that was stopped: its id, or that of one of its tasks. It keeps its question and its profile. */
  | { readonly continue: string };

export interface ResearchReport {
  readonly job: string;
  readonly report: string;
  readonly claims: number;
  readonly sources: number;
  /** Claims for which no source was found. */
  readonly unsourced: number;
  /** Sources that no tool of an agent has fetched: they confirm nothing. */
  readonly notFetched: number;
  /** Claims that have less than the profile asks for, with what is missing. */
  readonly unverified: readonly Standing[];
}

/** Which stage is not over, and why. What was found is kept. */
export interface ResearchUnfinished {
  readonly job: string;
  readonly unfinished: string;
}

/** A research job on its way through its stages. */
export interface Researching {
  readonly job: string;
  /** What holds for it, each as half a sentence: how much is enough, and what it may use. */
  readonly limits: readonly string[];
  /** Why it may not come far. */
  readonly warnings: readonly string[];
  readonly events: EventStream<JsonTaskEvent> & AsyncIterable<JsonTaskEvent>;
  readonly ended: Promise<ResearchReport | ResearchUnfinished>;
  stop(): void;
  kill(): string[];
}

/** All stages of a research job, one task each and one per claim, and the report at the end. */
export async function research(opened: OpenProject, request: ResearchRequest): Promise<Researching> {
  refuseInside();
  const runtime = openRuntime(opened);
  try {
    const job = await jobOf(runtime, request);
    await requireResearcher(opened);
    const told = { limits: limitsOf(runtime, job), warnings: await capsReached(runtime) };
    return { ...start(runtime, job), ...told };
  } catch (error) {
    runtime.store.close();
    throw error;
  }
}

function start(runtime: OpenRuntime, job: ResearchJob): Omit<Researching, 'limits' | 'warnings'> {
  const stopping = new AbortController();
  const running = new RunningTasks();
  const events = new Emitter<JsonTaskEvent>();
  const tell = (event: TaskRuntimeEvent): void => {
    running.event(event);
    events.emit(jsonTaskEvent(event));
  };
  const begin = async () => {
    try {
      const stages = new Stages(runtime, job, { tell, stop: stopping.signal });
      const unfinished = await throughStages(runtime, job, stages);
      return unfinished === undefined ? await reportOf(runtime, job) : { job: job.id, unfinished };
    } finally {
      runtime.store.close();
    }
  };
  const ended = Promise.resolve().then(begin);
  // Whoever only follows the events need not hear of it twice.
  ended.catch(() => undefined);
  return {
    job: job.id,
    events: new HeldEvents(events, ended),
    ended,
    stop: () => stopping.abort(),
    kill: () => running.kill(),
  };
}

function jobOf({ store, opened }: OpenRuntime, request: ResearchRequest): Promise<ResearchJob> | ResearchJob {
  if ('continue' in request) return knownJob(store.backlog, request.continue);
  // A caller without a compiler may have given neither.
  const { question, profile }: { question?: string; profile?: string } = request;
  if (question === undefined || question.trim() === '')
    throw new UsageError('There is no question.', {
      next: action('command.help', 'See how a question is asked or a stopped job is continued', {
        command: 'research',
      }),
    });
  return newJob(opened.sessions.newId(), question, profile ?? 'mid');
}

/** Undefined when the report is written, else which stage is not over and why. */
async function throughStages(
  { store: { findings } }: OpenRuntime,
  job: ResearchJob,
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

async function reportOf({ opened, store }: OpenRuntime, job: ResearchJob): Promise<ResearchReport> {
  const report = join(opened.config.stateDir, 'research', job.id, 'report.md');
  const known = await store.findings.known(job.id);
  const sourced = new Set(known.evidence.map(({ claim }) => claim));
  return {
    job: job.id,
    report,
    claims: known.claims.length,
    sources: known.evidence.length,
    unsourced: known.claims.filter(({ text }) => !sourced.has(text)).length,
    notFetched: known.evidence.filter(({ fetched }) => !fetched).length,
    unverified: standings(known, job.profile).filter(({ missing }) => missing.length > 0),
  };
}
