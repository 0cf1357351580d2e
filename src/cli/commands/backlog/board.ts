import type { Command } from 'commander';
import { shortId } from '../../../kernel/short-ids.ts';
import { clip, oneLine } from '../../../kernel/words.ts';
import { stateWord, waitWord } from '../../../project/backlog/task-words.ts';
import type { Project } from '../../../project/project.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { statePaint } from '../../display/style.ts';
import type { Screen } from '../../output.ts';

const SHOWN_PER_COLUMN = 10;
const NARROWEST = 18;

type Task = Awaited<ReturnType<Project['tasks']>>[number];

interface Column {
  readonly state: string;
  readonly tasks: readonly Task[];
}

export function declareBoard(program: Command, cli: Cli): void {
  program
    .command('board')
    .description('the backlog as columns, one per state')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ProjectOptions) => board(cli, options)));
}

async function board(cli: Cli, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const project = await cli.open(options);
  const columns = await project.board();
  if (options.json) return cli.json(columns);
  const filled = Object.entries(columns)
    .map(([state, tasks]) => ({ state, tasks }))
    .filter(({ tasks }) => tasks.length > 0);
  if (filled.length === 0) screen.line('The backlog is empty.');
  else for (const line of boardLines(filled, screen)) screen.line(line);
  return cli.next(project, ...(filled.length === 0 ? ['task', 'add', '<title>'] : ['task', 'list']));
}

function boardLines(columns: readonly Column[], { style, columns: wide }: Screen): string[] {
  const width = Math.max(NARROWEST, Math.floor(wide / columns.length) - 2);
  if ((width + 2) * columns.length - 2 > wide) return stacked(columns, { style, columns: wide });
  const heads = columns.map(({ state, tasks }) => style.bold(padded(`${state} ${tasks.length}`, width)));
  const cells = columns.map(({ tasks }) => [
    ...tasks.slice(0, SHOWN_PER_COLUMN).flatMap((task) => card(task, width).map((text) => ({ task, text }))),
    ...(tasks.length > SHOWN_PER_COLUMN ? [{ text: `and ${tasks.length - SHOWN_PER_COLUMN} more` }] : []),
  ]);
  const height = Math.max(...cells.map((column) => column.length));
  const rows = Array.from({ length: height }, (_, row) =>
    cells
      .map((column) => {
        const cell = column[row];
        const text = padded(cell?.text ?? '', width);
        return cell && 'task' in cell ? statePaint(cell.task, style)(text) : style.dim(text);
      })
      .join('  ')
      .trimEnd(),
  );
  return [heads.join('  ').trimEnd(), ...rows];
}

/** One state below the other, where the window is too narrow for all of them side by side. */
function stacked(columns: readonly Column[], { style, columns: wide }: Pick<Screen, 'style' | 'columns'>) {
  return columns.flatMap(({ state, tasks }) => [
    style.bold(`${state} ${tasks.length}`),
    ...tasks
      .slice(0, SHOWN_PER_COLUMN)
      .flatMap((task) => card(task, wide - 2).map((text) => `  ${statePaint(task, style)(text)}`)),
    ...(tasks.length > SHOWN_PER_COLUMN ? [style.dim(`  and ${tasks.length - SHOWN_PER_COLUMN} more`)] : []),
  ]);
}

/** The last characters of an id are enough to name it in a command. */
function card(task: Task, width: number): string[] {
  const details = [...(saysMore(task) ? [stateWord(task)] : []), waitWord(task)]
    .filter((word) => word !== '')
    .join(', ');
  return [
    clip(`${shortId(task.id)} ${oneLine(task.title)}`, width),
    ...(details === '' || task.state === 'cancelled' ? [] : [clip(`  ${oneLine(details)}`, width)]),
  ];
}

/** Whether the card needs a second line. */
function saysMore(task: Task): boolean {
  return task.blockReason !== undefined || task.unverified === true;
}

function padded(text: string, width: number): string {
  return text.padEnd(width);
}
