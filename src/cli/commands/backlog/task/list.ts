import type { Command } from 'commander';
import { UsageError } from '../../../../kernel/errors.ts';
import { didYouMean } from '../../../../kernel/suggest.ts';
import { clip, oneLine } from '../../../../kernel/words.ts';
import { ROLES, STATES, stateWord, waitWord } from '../../../../project/backlog/task-words.ts';
import type { Project } from '../../../../project/project.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../../cli.ts';
import { statePaint } from '../../../display/style.ts';
import { table } from '../../../display/table.ts';
import type { Screen } from '../../../output.ts';

interface ListOptions extends ProjectOptions {
  readonly state?: readonly string[];
  readonly role?: string;
  readonly all?: true;
}

const SHOWN = 50;
const HEAD = ['task', 'state', 'role', 'priority', 'tries', 'title', 'waits for'];

export function declareList(task: Command, cli: Cli): void {
  task
    .command('list')
    .description('list the tasks that are open, in the order of the line')
    .option('--state <state...>', 'only these: queued, running, blocked, failed, done, cancelled')
    .option('--role <role>', 'only those of worker, tester or docser')
    .option('--all', 'all of them, also those that are over')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ListOptions) => list(cli, options)));
}

async function list(cli: Cli, options: ListOptions): Promise<void> {
  const { screen } = cli;
  const { dim } = screen.style;
  const { state, role, all = false } = options;
  const states = (state ?? []).map((word) => known(word, STATES, 'state'));
  const project = await cli.open(options);
  const tasks = await project.tasks({
    all,
    ...(states.length > 0 ? { states } : {}),
    ...(role === undefined ? {} : { role: known(role, ROLES, 'role') }),
  });
  if (options.json) return cli.json({ tasks });
  const shown = all ? tasks : tasks.slice(0, SHOWN);
  if (tasks.length === 0) screen.line('No task is open.');
  else {
    const rows = shown.map((each) => row(each, screen));
    for (const line of table(HEAD, rows, screen)) screen.line(line);
  }
  if (shown.length < tasks.length)
    screen.line(dim(`and ${tasks.length - shown.length} more: --all shows them`));
  const [first] = tasks;
  return cli.next(project, ...(first ? ['task', 'show', first.id] : ['task', 'add', '<title>']));
}

function row(task: Awaited<ReturnType<Project['tasks']>>[number], screen: Screen) {
  return [
    task.id,
    { text: stateWord(task), paint: statePaint(task, screen.style) },
    task.role,
    String(task.priority),
    String(task.attempts),
    clip(oneLine(task.title), 40),
    clip(oneLine(waitWord(task)), 70),
  ];
}

function known<Word extends string>(written: string, words: readonly Word[], what: string): Word {
  const word = words.find((each) => each === written);
  if (word !== undefined) return word;
  throw new UsageError(`"${written}" is no ${what}.${didYouMean(written, words)}`, {
    next: `Give one of ${words.join(', ')}.`,
  });
}
