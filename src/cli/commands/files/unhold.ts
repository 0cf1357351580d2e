import type { Command } from 'commander';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';

export function declareUnhold(program: Command, cli: Cli): void {
  program
    .command('unhold')
    .description('make a held session, fetched from another clone, a session here')
    .argument('<session>', 'its whole id')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string, options: ProjectOptions) => unhold(cli, id, options)));
}

async function unhold(cli: Cli, id: string, options: ProjectOptions): Promise<void> {
  const project = await cli.open(options);
  const here = await project.unhold(id);
  if (options.json) return cli.json(here);
  cli.screen.line(`Session ${id} is here, its files are in ${here.worktree}.`);
  return cli.next(project, 'resume', id);
}
