import type { Command } from 'commander';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { trustPage } from '../../display/trust-page.ts';
import { askForTrust } from '../../open-trusted.ts';

interface TrustCommandOptions extends ProjectOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly remove?: true;
}

export function declareTrust(program: Command, cli: Cli): void {
  program
    .command('trust')
    .description('say that you trust this project: its programs may run and its files are obeyed')
    .option('--dry-run', 'only show what it would run and whether it is trusted')
    .option('-y, --yes', 'do not ask')
    .option('--remove', 'no longer trust it')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: TrustCommandOptions) => trust(cli, options)));
}

async function trust(cli: Cli, options: TrustCommandOptions): Promise<number | void> {
  const { screen } = cli;
  const project = await cli.open(options);
  if (options.remove) return untrust(cli, await project.untrust(), options);
  if (options.dryRun) {
    const seen = await project.trusted();
    if (options.json) return cli.json(seen);
    for (const line of trustPage(seen, screen.style)) screen.line(line);
    return seen.trusted ? 0 : 1;
  }
  if (screen.interactive && !options.yes && !options.json && !(await askForTrust(cli, project))) {
    screen.line('Nothing was trusted.');
    return 1;
  }
  const done = await project.trust();
  if (options.json) return cli.json(done);
  for (const line of trustPage(done, screen.style)) screen.line(line);
  screen.line(screen.style.dim(`written to ${done.file}`));
}

function untrust(
  cli: Cli,
  done: { readonly path: string; readonly removed: boolean },
  { json }: ProjectOptions,
): void {
  if (json) return cli.json(done);
  cli.screen.line(done.removed ? `${done.path} is no longer trusted.` : `${done.path} was not trusted.`);
}
