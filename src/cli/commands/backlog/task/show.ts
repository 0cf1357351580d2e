import type { Command } from 'commander';
import { action } from '../../../../kernel/action.ts';
import { NotFoundError } from '../../../../kernel/errors.ts';
import { age, clip, oneLine } from '../../../../kernel/words.ts';
import type { Project } from '../../../../project/project.ts';
import { wordsOf } from '../../../action-line.ts';
import { toLookAt } from '../../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, TASK } from '../../../cli.ts';
import { storyLines } from '../../../display/story.ts';

type Story = Awaited<ReturnType<Project['story']>>;

export function declareShowTask(task: Command, cli: Cli): void {
  task
    .command('show')
    .description('show a task: what was asked, its state and why, its runs, what they produced')
    .argument('[task]', TASK)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: ProjectOptions) => show(cli, id, options)));
}

async function show(cli: Cli, id: string | undefined, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const { dim } = screen.style;
  const project = await cli.open(options);
  const task = await toLookAt(cli, project, id, options, 'lookAtTask');
  if (task === undefined)
    throw new NotFoundError('There is no task in this project yet.', {
      next: action('task.add', 'Add one'),
    });
  const story = await project.story(task);
  if (options.json) return cli.json(story);
  for (const line of storyLines(story, screen.style)) screen.line(line);
  const details = detailsOf(story);
  if (details.length > 0) screen.line();
  for (const [name, value] of details) screen.line(`${dim(name.padEnd(9))} ${oneLine(value)}`);
  screen.line();
  screen.line(dim('events'));
  for (const { at, state, blockReason, reason } of story.events) {
    const word = blockReason === undefined ? state : `${state} (${blockReason})`;
    const when = age(Date.now() - at).padEnd(9);
    screen.line(`  ${when} ${word.padEnd(24)} ${dim(clip(oneLine(reason), 100))}`);
  }
  return cli.next(project, ...nextWords(story));
}

function detailsOf(task: Story): [string, string][] {
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

function nextWords({ id, state, blockReason, next }: Story): string[] {
  if (next && next.id !== 'task.show') return [...(wordsOf(next) ?? [])];
  if (blockReason === 'awaiting_judge') return ['diff', id];
  if (state === 'failed' || state === 'cancelled' || blockReason === 'needs_rework')
    return ['task', 'requeue', id];
  return state === 'queued' ? ['work'] : ['task', 'list'];
}
