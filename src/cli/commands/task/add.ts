import { UsageError } from '../../../kernel/errors.ts';
import { findTask } from '../../../project/backlog/find-task.ts';
import { withBacklog } from '../../../project/backlog/open-backlog.ts';
import type { Screen } from '../../output.ts';
import { type DraftOptions, draftFrom } from './draft-options.ts';

export interface AddOptions extends DraftOptions {
  readonly needs?: readonly string[];
}

export async function addTask(screen: Screen, title: string, options: AddOptions): Promise<number> {
  return withBacklog(options, async ({ backlog, project, described }) => {
    const dependencies: string[] = [];
    for (const word of options.needs ?? []) dependencies.push((await findTask(backlog, word)).id);
    const { added } = await backlog.add([{ title, ...draftFrom(options), dependencies }]);
    const task = await backlog.get(added[0] ?? '');
    if (!task) throw new UsageError('The task is gone again.', { next: 'See `loopwright task list`.' });
    if (options.json) screen.json((await described([task]))[0]);
    else {
      screen.line(`Added ${task.id}: ${title}`);
      screen.line(`${screen.style.cyan('next:')} ${project.command('work')}`);
    }
    return 0;
  });
}
