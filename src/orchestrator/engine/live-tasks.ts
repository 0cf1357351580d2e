import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { LiveTask } from '../../manifest/task.ts';
import type { SessionState } from '../state/session-state.ts';

/** The tasks of the running step that people can reach. */
export class LiveTasks {
  readonly #tasks = new Map<string, LiveTask>();

  add(task: LiveTask): () => void {
    this.#tasks.set(task.id, task);
    return () => {
      if (this.#tasks.get(task.id) === task) this.#tasks.delete(task.id);
    };
  }

  ids(): string[] {
    return [...this.#tasks.keys()].sort();
  }

  all(): readonly LiveTask[] {
    return this.ids().flatMap((id) => this.#tasks.get(id) ?? []);
  }

  /** Throws with the reason when there is no such running task. */
  get(id: string, state: Pick<SessionState, 'tasks'> | undefined): LiveTask {
    const task = this.#tasks.get(id);
    if (task) return task;
    const status = state?.tasks[id];
    const known = this.ids();
    if (status !== undefined) {
      throw new UsageError(`Task "${id}" is not running: its status is ${status}.`, { next: running(known) });
    }
    throw new NotFoundError(`There is no task "${id}".${didYouMean(id, known)}`, { next: running(known) });
  }
}

function running(ids: readonly string[]): string {
  return ids.length === 0 ? 'No task runs at the moment.' : `Running now: ${ids.join(', ')}.`;
}
