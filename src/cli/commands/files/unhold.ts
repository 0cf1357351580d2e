import type { Command } from 'commander';
import { type Cli, DIR, JSON_DOCUMENT, SESSION } from '../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';

export function declareUnhold(program: Command, cli: Cli): void {
  program
    .command('unhold')
    .description('make a held session, fetched from another clone, a session here')
    .argument('<session>', SESSION)
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string, options: TrustOptions) => unhold(cli, id, options)));
}

async function unhold(cli: Cli, id: string, options: TrustOptions): Promise<void> {
  const project = await openTrusted(cli, options);
  const here = await project.unhold(id);
  if (options.json) return cli.json(here);
  cli.screen.line(`Session ${here.session} is here, its files are in ${here.worktree}.`);
  return cli.next(project, 'resume', here.session);
}
