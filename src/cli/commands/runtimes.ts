import { duration } from '../../kernel/words.ts';
import { listRuntimes } from '../../project/runtime/list-runtimes.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface RuntimesOptions {
  readonly dir?: string;
  readonly json?: true;
}

/** Which runtimes work on the backlog, what they do, and whether they live. */
export async function runtimesCommand(screen: Screen, options: RuntimesOptions): Promise<number> {
  const { project, runtimes } = await listRuntimes(options.dir);
  if (options.json) {
    screen.json(runtimes);
    return 0;
  }
  const { cyan, dim, green, red, yellow } = screen.style;
  const paints = { idle: dim, busy: green, stopping: yellow };
  const rows = runtimes.map(({ name, role, process, state, tasks, seenAt, dead }) => [
    name,
    role,
    dead ? { text: 'dead', paint: red } : { text: state, paint: paints[state] },
    tasks.length === 0 ? '-' : tasks.join(', '),
    `${process.pid}@${process.host}`,
    `${duration(Math.max(0, Date.now() - seenAt))} ago`,
  ]);
  if (rows.length === 0) screen.line('No runtime works on this backlog.');
  else
    for (const line of table(['runtime', 'role', 'state', 'task', 'process', 'seen'], rows, dim))
      screen.line(line);
  const next = rows.length === 0 ? project.command('work') : project.command('board');
  screen.line(`${cyan('next:')} ${next}`);
  return 0;
}
