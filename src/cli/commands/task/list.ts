import type { TaskFilter } from '../../../backlog/backlog.ts';
import type { Task } from '../../../backlog/task.ts';
import { STATES, type TaskState } from '../../../backlog/words.ts';
import { UsageError } from '../../../kernel/errors.ts';
import { ROLES } from '../../../kernel/runtime-words.ts';
import { didYouMean } from '../../../kernel/suggest.ts';
import { clip, oneLine } from '../../../kernel/words.ts';
import { type TaskCommandOptions, withBacklog } from '../../../project/backlog/open-backlog.ts';
import { table } from '../../display/table.ts';
import type { Screen } from '../../output.ts';
import { statePaint, stateWord, waitWord } from './words.ts';

export interface ListOptions extends TaskCommandOptions {
  readonly state?: readonly string[];
  readonly role?: string;
  readonly all?: true;
}

const OPEN: readonly TaskState[] = ['running', 'queued', 'blocked', 'failed'];
const SHOWN = 50;

/** The open tasks in the order of the line; with --all the others too. */
export async function listTasks(screen: Screen, options: ListOptions): Promise<number> {
  const filter = filterOf(options);
  return withBacklog(options, async ({ backlog, project, described }) => {
    const tasks = await described(await backlog.list(filter));
    if (options.json) {
      screen.json(tasks);
      return 0;
    }
    const { cyan, dim } = screen.style;
    const shown = options.all ? tasks : tasks.slice(0, SHOWN);
    if (tasks.length === 0) screen.line('No task is open.');
    else
      for (const line of table(
        HEAD,
        shown.map((task) => row(task, screen)),
        dim,
      ))
        screen.line(line);
    if (shown.length < tasks.length)
      screen.line(dim(`and ${tasks.length - shown.length} more: --all shows them`));
    const [first] = tasks;
    const next = first
      ? project.command('task', 'show', first.id)
      : project.command('task', 'add', '<title>');
    screen.line(`${cyan('next:')} ${next}`);
    return 0;
  });
}

const HEAD = ['task', 'state', 'role', 'priority', 'tries', 'title', 'waits for'];

function row(task: Task, screen: Screen) {
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

function filterOf({ state, role, all }: ListOptions): TaskFilter {
  const states = (state ?? []).map((word) => known(word, STATES, 'state'));
  const roles = role === undefined ? undefined : known(role, ROLES, 'role');
  return {
    ...(states.length > 0 ? { states } : all ? {} : { states: OPEN }),
    ...(roles === undefined ? {} : { role: roles }),
  };
}

function known<Word extends string>(written: string, words: readonly Word[], what: string): Word {
  const word = words.find((each) => each === written);
  if (word !== undefined) return word;
  throw new UsageError(`"${written}" is no ${what}.${didYouMean(written, words)}`, {
    next: `Give one of ${words.join(', ')}.`,
  });
}
