import type { Command } from 'commander';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { table } from '../../display/table.ts';

export function declareConflicts(program: Command, cli: Cli): void {
  program
    .command('conflicts')
    .description('show which sessions mean to change the same files')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ProjectOptions) => conflicts(cli, options)));
}

async function conflicts(cli: Cli, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const project = await cli.open(options);
  const found = await project.conflicts();
  if (options.json) return cli.json(found);
  if (found.sessions.length === 0) screen.line('No session plans to change anything.');
  const rows = found.sessions.map(({ id, status, priority }) => {
    const clashes = found.conflicts.filter((conflict) => conflict.sessions.includes(id));
    const words = clashes.map(({ sessions: [a, b], path }) => `${path} with ${a === id ? b : a}`);
    return [id, status, String(priority), words.length === 0 ? '-' : words.join('; ')];
  });
  if (rows.length > 0) {
    const head = ['session', 'status', 'priority', 'clashes on'];
    for (const line of table(head, rows, screen.style.dim)) screen.line(line);
  }
  return cli.next(project, 'sessions');
}
