import type { Command } from 'commander';
import { count } from '../../../kernel/words.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, SESSION } from '../../cli.ts';

interface AbortOptions extends ProjectOptions {
  readonly reason?: string;
  readonly guidance?: string;
}

export function declareAbort(program: Command, cli: Cli): void {
  program
    .command('abort')
    .description('end a session for good, whoever runs it')
    .argument('[session]', SESSION)
    .option('--reason <text>', 'why, for whoever looks at it later')
    .option('-g, --guidance <text>', 'what somebody who takes it up again should know')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: AbortOptions) => abort(cli, id, options)));
}

async function abort(cli: Cli, id: string | undefined, options: AbortOptions): Promise<void> {
  const { reason, guidance } = options;
  const project = await cli.open(options);
  const { session, status, steps } = await project.abort(await toChange(cli, project, id, options, 'abort'), {
    reason,
    guidance,
  });
  if (options.json) return cli.json({ session, status });
  cli.screen.line(`Session ${session} is aborted after ${count(steps, 'step')}; its files stay as they are.`);
  return cli.next(project, 'clean', session);
}
