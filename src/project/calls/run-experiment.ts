import { join } from 'node:path';
import { type AgentOutcome, OutcomeFold } from '../../agents/run-agent.ts';
import { ConflictError, errorMessage } from '../../kernel/errors.ts';
import { ownIdentity } from '../../process/identity.ts';
import { limitsOf } from '../../workers/agent/job.ts';
import { jobRunner } from '../../workers/agent/job-runner.ts';
import { streamLogName } from '../../workers/agent/stream-log.ts';
import { adaptersOf } from '../../workers/services.ts';
import type { OpenProject } from '../open.ts';
import { refuseInside } from '../runs/nested.ts';
import { openedMeter, type SpendMeter } from '../runs/spend-meter.ts';
import { callDetail } from './calls.ts';
import { type Experiment, experimentFolder, readExperiment, writeExperiment } from './experiment-file.ts';
import { originalEntry } from './rerun.ts';
import { inScratch, type ScratchPlace } from './scratch.ts';

/** Runs an experiment that waits, in this process, to its end; however it ends is kept. */
export async function runExperiment(
  opened: OpenProject,
  id: string,
  { cancel }: { readonly cancel?: AbortSignal } = {},
): Promise<Experiment> {
  refuseInside();
  const waiting = readExperiment(opened, id);
  if (waiting.status !== 'waiting')
    throw new ConflictError(`Experiment ${id} has been run already: it is ${waiting.status}.`, {
      next: 'Run the call once more.',
    });
  const running: Experiment = { ...waiting, status: 'running', owner: ownIdentity() };
  writeExperiment(opened, running);
  const { owner: _owner, ...ended } = { ...running, ...(await outcomeOf(opened, running, cancel)) };
  writeExperiment(opened, ended);
  return ended;
}

async function outcomeOf(
  opened: OpenProject,
  experiment: Experiment,
  cancel = new AbortController().signal,
): Promise<Partial<Experiment> & Pick<Experiment, 'status'>> {
  try {
    const meter = await openedMeter(opened.config, experiment.experiment, { usd: experiment.maxUsd });
    try {
      return await inScratch(opened, experiment, cancel, (place) =>
        new ExperimentRun(opened, experiment, meter).run(place, cancel),
      );
    } finally {
      await meter.end(experiment.experiment);
    }
  } catch (error) {
    if (cancel.aborted) return { status: 'stopped' };
    return { status: 'failed', error: { kind: 'start', message: errorMessage(error) } };
  }
}

/** One agent, ended as soon as it has used what it may cost. */
class ExperimentRun {
  readonly #opened: OpenProject;
  readonly #experiment: Experiment;
  readonly #meter: SpendMeter;
  readonly #full = new AbortController();
  #usd = 0;

  constructor(opened: OpenProject, experiment: Experiment, meter: SpendMeter) {
    this.#opened = opened;
    this.#experiment = experiment;
    this.#meter = meter;
  }

  async run(place: ScratchPlace, cancel: AbortSignal): Promise<ReturnType<typeof resultOf>> {
    const { experiment: id, prompt } = this.#experiment;
    const { job, extraArgs, log } = await this.#job(place.cwd, cancel);
    const logFile = join(experimentFolder(this.#opened, id), log);
    const services = { ...this.#opened.services, baseEnv: this.#opened.config.childEnv };
    const { runner, close } = await jobRunner(services, job, {
      worktree: place.top,
      marker: { session: id },
      logFile,
    });
    const fold = new OutcomeFold();
    runner.events.subscribe((event) => {
      fold.add(event);
      if (event.type === 'usage') this.#used(event.usd ?? 0, event.tokens.input + event.tokens.output);
    });
    try {
      place.started(await runner.start(place.told(prompt), extraArgs));
      const outcome = fold.end(runner, await runner.ended);
      const status = this.#statusOf(outcome, cancel);
      return resultOf(outcome, { status, log, ...(await place.changes()) });
    } finally {
      await close();
    }
  }

  async #job(cwd: string, cancel: AbortSignal) {
    const { session, call, agent, permissions, model, maxUsd } = this.#experiment;
    const { services, sessions } = this.#opened;
    const original = await callDetail(this.#opened, session, call);
    const entry = originalEntry(sessions.load(session).manifest, original);
    // What was said to another CLI means nothing to this one.
    const own = agent === original.agent ? entry : {};
    const settings = { permissions, ...(model === undefined ? {} : { model }) };
    const holds = adaptersOf(services).problems(agent, 'headless', { ...settings, maxUsd }).length === 0;
    const job = {
      task: 'experiment',
      name: original.worker,
      agent,
      mode: 'headless',
      prompt: this.#experiment.prompt,
      extraArgs: own.extraArgs ?? [],
      cwd,
      env: own.env ?? {},
      settings: holds ? { ...settings, maxUsd } : settings,
      cancel: AbortSignal.any([cancel, this.#full.signal]),
      ...limitsOf(entry, services.timeoutMs),
    } as const;
    return { job, extraArgs: job.extraArgs, log: `0001-${streamLogName('experiment', agent, settings)}` };
  }

  #used(usd: number, tokens: number): void {
    this.#usd += usd;
    if (this.#usd >= this.#experiment.maxUsd) this.#full.abort();
    void this.#meter
      .used(this.#experiment.experiment, { usd, tokens }, () => {})
      .then((reached) => reached && this.#full.abort());
  }

  #statusOf({ ok }: AgentOutcome, cancel: AbortSignal): Experiment['status'] {
    if (ok) return 'completed';
    if (cancel.aborted) return 'stopped';
    return this.#full.signal.aborted ? 'capped' : 'failed';
  }
}

function resultOf(
  { text, used, end, error, denied }: AgentOutcome,
  kept: Pick<Experiment, 'status' | 'files' | 'diff'> & { readonly log: string },
) {
  return {
    ...kept,
    ...used,
    answer: text,
    ms: Math.round(end.durationMs),
    denied,
    ...(end.kind === 'exited' ? { code: end.code } : { ended: end.kind }),
    ...(error ? { error: { kind: error.kind, message: error.message } } : {}),
  };
}
