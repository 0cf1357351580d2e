import type { Backlog } from '../../backlog/backlog.ts';
import type { KnownClaim } from '../../backlog/findings.ts';
import type { Task } from '../../backlog/task.ts';
import { clip, oneLine } from '../../kernel/words.ts';
import type { ResearchStage } from '../../tasks/research/input.ts';
import { runTask, type TaskRuntimeEvent } from '../../tasks/run-task.ts';
import { stateWord, waitWord } from '../backlog/task-words.ts';
import { type OpenRuntime, taskRuntime } from './open-runtime.ts';
import type { ResearchJob } from './research-job.ts';

const LONGEST_TITLE = 200;

export interface StagesOptions {
  readonly tell: (event: TaskRuntimeEvent) => void;
  readonly stop: AbortSignal;
}

/**
 * The tasks of a job, one per stage and claim, run here in turn. A task is known by its source, so a job that is
 * continued finds the tasks it has: what is done is not done again, what was stopped continues in its session.
 */
export class Stages {
  readonly #runtime: OpenRuntime;
  readonly #backlog: Backlog;
  readonly #job: ResearchJob;
  readonly #options: StagesOptions;

  constructor(runtime: OpenRuntime, job: ResearchJob, options: StagesOptions) {
    this.#runtime = runtime;
    this.#backlog = runtime.store.backlog;
    this.#job = job;
    this.#options = options;
  }

  /** Undefined when the stage has come to its end, else why it has not. */
  async run(stage: ResearchStage, claim?: KnownClaim): Promise<string | undefined> {
    const task = await this.#taskOf(stage, claim);
    if (hasAnswer(task)) return undefined;
    if (task.state === 'failed' || task.state === 'cancelled' || task.state === 'blocked')
      await this.#runtime.store.scheduler.requeue(task.id, { reason: 'its research job was continued' });
    const { store, settings } = this.#runtime;
    const claimed = await store.scheduler.claim({
      agentId: settings.id,
      role: 'worker',
      agents: [settings.agents.worker],
      mode: 'direct',
      leaseMs: settings.leaseMs,
      only: task.id,
    });
    if (claimed) {
      const { tell, stop } = this.#options;
      tell({ task: task.id, type: 'task.claimed', claim: claimed });
      await runTask(taskRuntime(this.#runtime, tell), claimed, stop);
    }
    const now = await this.#backlog.get(task.id);
    if (!now || hasAnswer(now)) return undefined;
    const waits = waitWord(now);
    return `${oneLine(now.title)} (${now.id}) is ${stateWord(now)}${waits === '' ? '' : `: it waits for ${waits}`}`;
  }

  async #taskOf(stage: ResearchStage, claim: KnownClaim | undefined): Promise<Task> {
    const { id, query, profile } = this.#job;
    // A model wrote the claim: a title has one line and an end.
    const title = clip(oneLine(`${stage}: ${claim?.text ?? query}`), LONGEST_TITLE);
    const about = claim === undefined ? {} : { claim: claim.text };
    const context = { research: { jobId: id, query, stage, profile, ...about } };
    const source = ['research', id, stage, ...(claim === undefined ? [] : [claim.id])].join(':');
    const draft = { title, goal: query, kind: 'research', context, priority: 0, source } as const;
    const { added, known } = await this.#backlog.add([draft]);
    const task = await this.#backlog.get(added[0] ?? known[0] ?? '');
    if (!task) throw new Error(`the task of ${source} is gone`);
    return task;
  }
}

function hasAnswer({ state, blockReason }: Task): boolean {
  return state === 'done' || blockReason === 'awaiting_judge';
}
