import type { TaskRuntimeEvent } from '../../tasks/run-task.ts';
import { RunningStep } from '../runs/running-step.ts';

/** Knows from the events what the tasks at work have started, for the moment when only killing it helps. */
export class RunningTasks {
  readonly #steps = new Map<string, RunningStep>();

  event(event: TaskRuntimeEvent): void {
    const { task } = event;
    if (event.type === 'task.claimed') this.#steps.set(task, new RunningStep());
    else if (event.type === 'task.session') this.#steps.get(task)?.event(event.event);
    else if (event.type === 'task.released' || event.type === 'task.skipped') this.#steps.delete(task);
  }

  /** At once and without a goodbye; gives the tasks that were at work. */
  kill(): string[] {
    for (const step of this.#steps.values()) step.kill();
    return [...this.#steps.keys()];
  }
}
