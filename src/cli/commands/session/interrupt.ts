import type { Command } from 'commander';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, SESSION } from '../../cli.ts';

interface InterruptOptions extends ProjectOptions {
  readonly reason?: string;
}

export function declareInterrupt(program: Command, cli: Cli): void {
  program
    .command('interrupt')
    .description('end the running block of a session that another process runs; `resume` continues it')
    .argument('[session]', SESSION)
    .option('--reason <text>', 'why, for whoever looks at it later')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: InterruptOptions) => interrupt(cli, id, options)));
}

async function interrupt(cli: Cli, id: string | undefined, options: InterruptOptions): Promise<void> {
  const project = await cli.open(options);
  const { session } = await project.interrupt(
    await toChange(cli, project, id, options, 'interrupt'),
    options.reason,
  );
  if (options.json) return cli.json({ session });
  cli.screen.line(`Session ${session} halts.`);
  return cli.next(project, 'resume', session);
}
