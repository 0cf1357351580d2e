import type { Command } from 'commander';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, SESSION } from '../../cli.ts';

export function declareHold(program: Command, cli: Cli): void {
  program
    .command('hold')
    .description('put a session aside as one ref, which can be pushed and continued on another clone')
    .argument('[session]', SESSION)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: ProjectOptions) => hold(cli, id, options)));
}

async function hold(cli: Cli, id: string | undefined, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const project = await cli.open(options);
  const held = await project.hold(await toChange(cli, project, id, options, 'hold'));
  if (options.json) return cli.json(held);
  screen.line(`Session ${held.session} is held as ${held.ref}.`);
  screen.line(`To continue elsewhere: git push origin ${held.ref}:${held.ref}, then there`);
  screen.line(`  git fetch origin ${held.ref}:${held.ref} && loopwright unhold ${held.session}`);
  return cli.next(project, 'resume', held.session);
}
