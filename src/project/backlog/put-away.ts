import type { Task } from '../../backlog/task.ts';
import type { Config } from '../../config/load-config.ts';
import type { RuntimeSettings } from '../../config/runtime/settings.ts';
import { errorMessage } from '../../kernel/errors.ts';

interface PutAwayOptions {
  readonly config: Config;
  readonly repository: RuntimeSettings['repository'];
}

/** A task that never ran has nothing; git is loaded only for one that did. What fails here changes no state. */
export async function putAwayTask(task: Task, options: PutAwayOptions): Promise<readonly string[]> {
  if (task.attempts === 0 || task.kind !== 'code') return [];
  try {
    const { closeTask } = await import('../../tasks/prepare/close-task.ts');
    await closeTask(task.mode ?? options.repository.mode, options, task.id);
    return [];
  } catch (error) {
    return [`what it worked in could not be put away: ${errorMessage(error)}`];
  }
}
