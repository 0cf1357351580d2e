import type { Command } from 'commander';
import { count } from '../../../kernel/words.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, SESSION } from '../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';

interface KeepOptions extends TrustOptions {
  readonly message?: string;
  readonly acceptSecrets?: string;
}

export function declareKeep(program: Command, cli: Cli): void {
  program
    .command('keep')
    .description('leave the work of a session on its own branch, committed')
    .argument('[session]', SESSION)
    .option('-m, --message <text>', 'the commit message')
    .option('--accept-secrets <reason>', 'although the change carries a secret; the commit says why')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: KeepOptions) => keep(cli, id, options)));
}

async function keep(cli: Cli, id: string | undefined, options: KeepOptions): Promise<void> {
  const { message, acceptSecrets } = options;
  const project = await openTrusted(cli, options);
  const kept = await project.keep(await toChange(cli, project, id, options, 'keep'), {
    ...(message === undefined ? {} : { message }),
    ...(acceptSecrets === undefined ? {} : { acceptSecrets }),
  });
  if (options.json) return cli.json(kept);
  const files = count(kept.change.files.length, 'changed file');
  cli.screen.line(`Kept ${files} as ${kept.commit.slice(0, 12)} on branch ${kept.branch}.`);
  return cli.next(project, 'diff', kept.session);
}
