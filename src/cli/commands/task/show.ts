import type { Task } from '../../../backlog/task.ts';
import { age, clip, oneLine } from '../../../kernel/words.ts';
import { findTask } from '../../../project/backlog/find-task.ts';
import { type TaskCommandOptions, withBacklog } from '../../../project/backlog/open-backlog.ts';
import type { Project } from '../../../project/place.ts';
import type { Screen } from '../../output.ts';
import { storyLines } from '../../runtime/story.ts';

/** Everything that is known about a task: what was asked, its state, its runs, what they produced, every change. */
export async function showTask(
  screen: Screen,
  written: string,
  options: TaskCommandOptions,
): Promise<number> {
  return withBacklog(options, async ({ backlog, project, described }) => {
    const found = await findTask(backlog, written);
    const [task = found] = await described([found]);
    const history = await backlog.history(task.id);
    if (options.json) {
      screen.json({ ...task, ...history });
      return 0;
    }
    const { dim, cyan } = screen.style;
    for (const line of storyLines(task, history, screen.style)) screen.line(line);
    const details = detailsOf(task);
    if (details.length > 0) screen.line();
    for (const [name, value] of details) screen.line(`${dim(name.padEnd(9))} ${oneLine(value)}`);
    screen.line();
    screen.line(dim('events'));
    for (const { at, state, blockReason, reason } of history.events) {
      const word = blockReason === undefined ? state : `${state} (${blockReason})`;
      screen.line(
        `  ${age(Date.now() - at).padEnd(9)} ${word.padEnd(24)} ${dim(clip(oneLine(reason), 100))}`,
      );
    }
    screen.line(`${cyan('next:')} ${nextCommand(task, project)}`);
    return 0;
  });
}

function detailsOf(task: Task): [string, string][] {
  const all: [string, string][] = [
    ['priority', task.priority === 100 ? '' : String(task.priority)],
    ['denied', task.deniedPaths.join(', ')],
    ['expects', task.expectedFiles.join(', ')],
    ['commands', task.commands.join('; ')],
    ['needs', task.dependencies.join(', ')],
    ['agents', task.agents.join(', ')],
    ['timebox', task.timeboxMinutes === undefined ? '' : `${task.timeboxMinutes} minutes`],
    ['budget', task.budget === undefined ? '' : JSON.stringify(task.budget)],
    ['source', task.source ?? ''],
  ];
  return all.filter(([, value]) => value !== '');
}

function nextCommand({ id, state, blockReason }: Task, project: Project): string {
  if (blockReason === 'awaiting_judge') return project.command('judge', id, 'approve');
  if (state === 'failed' || state === 'cancelled' || blockReason === 'needs_rework')
    return project.command('task', 'requeue', id);
  return state === 'queued' ? project.command('work') : project.command('task', 'list');
}
