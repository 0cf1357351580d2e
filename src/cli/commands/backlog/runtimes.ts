import type { Command } from 'commander';
import { duration, oneLine } from '../../../kernel/words.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { table } from '../../display/table.ts';

export function declareRuntimes(program: Command, cli: Cli): void {
  program
    .command('runtimes')
    .description('show which runtimes work on the backlog, and whether they are alive')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ProjectOptions) => runtimes(cli, options)));
}

async function runtimes(cli: Cli, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const { dim, green, red, yellow } = screen.style;
  const project = await cli.open(options);
  const found = await project.runtimes();
  if (options.json) return cli.json({ runtimes: found });
  const paints = { idle: dim, busy: green, stopping: yellow };
  const rows = found.map(({ name, role, process, state, tasks, seenAt, dead }) => [
    oneLine(name),
    role,
    dead ? { text: 'dead', paint: red } : { text: state, paint: paints[state] },
    tasks.length === 0 ? '-' : tasks.join(', '),
    `${process.pid}@${process.host}`,
    `${duration(Math.max(0, Date.now() - seenAt))} ago`,
  ]);
  if (rows.length === 0) screen.line('No runtime works on this backlog.');
  else {
    const head = ['runtime', 'role', 'state', 'task', 'process', 'seen'];
    for (const line of table(head, rows, screen)) screen.line(line);
  }
  return cli.next(project, rows.length === 0 ? 'work' : 'board');
}
