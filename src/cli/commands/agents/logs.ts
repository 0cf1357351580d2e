import type { Command } from 'commander';
import { toLookAt } from '../../choose.ts';
import { type Cli, DIR, type ProjectOptions, SESSION } from '../../cli.ts';

interface LogsOptions extends ProjectOptions {
  readonly follow?: true;
  readonly task?: string;
  readonly raw?: true;
}

export function declareLogs(program: Command, cli: Cli): void {
  program
    .command('logs')
    .description('print what the agents and commands of a session printed')
    .argument('[session]', SESSION)
    .option('-f, --follow', 'stay, and print what comes until the session stops')
    .option('--task <id>', 'only this task')
    .option('--raw', 'with colours and cursor movements, as it was printed')
    .option(...DIR)
    .option('--json', 'one JSON object per piece and line')
    .action(cli.action((id: string | undefined, options: LogsOptions) => logs(cli, id, options)));
}

async function logs(cli: Cli, id: string | undefined, options: LogsOptions): Promise<void> {
  const { screen } = cli;
  const { task, raw = false, follow = false } = options;
  const project = await cli.open(options);
  const { pieces } = await project.logs(await toLookAt(cli, project, id, options), { task, raw, follow });
  const titled = new Set<string>();
  const titles = task === undefined && !raw && !options.json;
  let isEmpty = true;
  for await (const piece of pieces) {
    isEmpty = false;
    if (titles && !titled.has(piece.log)) screen.line(screen.style.bold(piece.task));
    titled.add(piece.log);
    if (options.json) screen.json(piece);
    else await screen.text(piece.text, { raw });
  }
  if (isEmpty && !options.json) screen.line(screen.style.dim('No process has written anything yet.'));
}
