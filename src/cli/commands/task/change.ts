import { UsageError } from '../../../kernel/errors.ts';
import { findTask } from '../../../project/backlog/find-task.ts';
import {
  type OpenBacklog,
  type TaskCommandOptions,
  withBacklog,
} from '../../../project/backlog/open-backlog.ts';
import type { Screen } from '../../output.ts';
import { type DraftOptions, draftFrom } from './draft-options.ts';
import { stateWord } from './words.ts';

export interface EditOptions extends DraftOptions {
  readonly title?: string;
  readonly needs?: readonly string[] | false;
}

export interface ReasonOptions extends TaskCommandOptions {
  readonly reason?: string;
  readonly notes?: string;
}

export async function editTask(screen: Screen, written: string, options: EditOptions): Promise<number> {
  return withBacklog(options, async (open) => {
    const { backlog } = open;
    const { id } = await findTask(backlog, written);
    const { title, needs } = options;
    const changes = { ...draftFrom(options), ...(title === undefined ? {} : { title }) };
    const dependencies: string[] = [];
    for (const word of needs || []) dependencies.push((await findTask(backlog, word)).id);
    const all = needs === undefined ? changes : { ...changes, dependencies };
    if (Object.keys(all).length === 0) {
      throw new UsageError('Nothing was said to change.', { next: 'See `loopwright task edit --help`.' });
    }
    await backlog.edit(id, all);
    return told(screen, open, id, options, 'Changed');
  });
}

export async function cancelTask(screen: Screen, written: string, options: ReasonOptions): Promise<number> {
  return withBacklog(options, async (open) => {
    const task = await findTask(open.backlog, written);
    const { id } = task;
    await open.scheduler.cancel(id, options.reason ?? 'cancelled by a person');
    // Its runtime is still at work in there and puts it away itself; in direct mode `restore` needs the copies.
    const stays = task.state === 'running' || (task.mode ?? open.mode) === 'direct';
    const notes = stays ? [] : await open.putAway(task);
    for (const note of options.json ? [] : notes) screen.line(screen.style.yellow(`! ${note}`));
    return told(screen, open, id, options, 'Cancelled');
  });
}

export async function requeueTask(screen: Screen, written: string, options: ReasonOptions): Promise<number> {
  return withBacklog(options, async (open) => {
    const { id } = await findTask(open.backlog, written);
    const { reason = 'put back in line by a person', notes } = options;
    await open.scheduler.requeue(id, { reason, ...(notes === undefined ? {} : { notes }) });
    return told(screen, open, id, options, 'Back in line:');
  });
}

export async function removeTask(
  screen: Screen,
  written: string,
  options: TaskCommandOptions,
): Promise<number> {
  return withBacklog(options, async ({ backlog, project, putAway }) => {
    const task = await findTask(backlog, written);
    const { id } = task;
    await backlog.remove(id);
    const notes = await putAway(task);
    for (const note of options.json ? [] : notes) screen.line(screen.style.yellow(`! ${note}`));
    if (options.json) screen.json({ id, removed: true });
    else {
      screen.line(`Removed ${id} with its runs and events.`);
      screen.line(`${screen.style.cyan('next:')} ${project.command('task', 'list')}`);
    }
    return 0;
  });
}

async function told(
  screen: Screen,
  { backlog, project, described }: OpenBacklog,
  id: string,
  { json }: TaskCommandOptions,
  word: string,
): Promise<number> {
  const found = await backlog.get(id);
  const [task] = found ? await described([found]) : [];
  if (!task) throw new UsageError(`Task ${id} is gone.`, { next: 'List them: loopwright task list' });
  if (json) screen.json(task);
  else {
    screen.line(`${word} ${id}, which is ${stateWord(task)}.`);
    screen.line(`${screen.style.cyan('next:')} ${project.command('task', 'show', id)}`);
  }
  return 0;
}
