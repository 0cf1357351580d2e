import type { Task } from '../../backlog/task.ts';
import { STATES, type TaskState } from '../../backlog/words.ts';
import { clip, oneLine } from '../../kernel/words.ts';
import { type TaskCommandOptions, withBacklog } from '../../project/backlog/open-backlog.ts';
import type { Screen } from '../output.ts';
import { statePaint, stateWord, waitWord } from './task/words.ts';

const SHOWN_PER_COLUMN = 10;
const NARROWEST = 18;

/** The backlog as columns, one per state that has tasks. */
export async function board(screen: Screen, options: TaskCommandOptions): Promise<number> {
  return withBacklog(options, async ({ backlog, project, described }) => {
    const tasks = await described(await backlog.list());
    const columns = STATES.map((state) => ({ state, tasks: tasks.filter((task) => task.state === state) }));
    if (options.json) {
      screen.json(Object.fromEntries(columns.map(({ state, tasks: list }) => [state, list])));
      return 0;
    }
    const filled = columns.filter((column) => column.tasks.length > 0);
    if (filled.length === 0) screen.line('The backlog is empty.');
    else for (const line of boardLines(filled, screen)) screen.line(line);
    const next = filled.length === 0 ? ['task', 'add', '<title>'] : ['task', 'list'];
    screen.line(`${screen.style.cyan('next:')} ${project.command(...next)}`);
    return 0;
  });
}

interface Column {
  readonly state: TaskState;
  readonly tasks: readonly Task[];
}

function boardLines(columns: readonly Column[], { style, columns: wide }: Screen): string[] {
  const width = Math.max(NARROWEST, Math.floor(wide / columns.length) - 2);
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

/** The last characters of an id are enough to name it in a command. */
function card(task: Task, width: number): string[] {
  const details = [...(saysMore(task) ? [stateWord(task)] : []), waitWord(task)]
    .filter((word) => word !== '')
    .join(', ');
  return [
    clip(`${task.id.slice(-6)} ${oneLine(task.title)}`, width),
    ...(details === '' || task.state === 'cancelled' ? [] : [clip(`  ${oneLine(details)}`, width)]),
  ];
}

/** Than the head of its column. */
function saysMore(task: Task): boolean {
  return task.blockReason !== undefined || task.unverified === true;
}

function padded(text: string, width: number): string {
  return text.padEnd(width);
}
