import type { Command } from 'commander';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, SESSION } from '../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { parsePosition } from '../../option-values.ts';
import { STAND_INS } from '../../stand-ins.ts';

interface RewindOptions extends TrustOptions {
  readonly to: string;
}

export function declareRewind(program: Command, cli: Cli): void {
  program
    .command('rewind')
    .description('take a session and its files back to the end of a step')
    .argument('[session]', SESSION)
    .requiredOption('--to <n>', 'the step; 0 is the beginning')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: RewindOptions) => rewind(cli, id, options)));
}

async function rewind(cli: Cli, id: string | undefined, options: RewindOptions): Promise<void> {
  const { screen } = cli;
  const to = parsePosition(options.to);
  const project = await openTrusted(cli, options);
  const done = await project.rewind(await toChange(cli, project, id, options, 'rewind'), { to });
  if (options.json) return cli.json(done);
  screen.line(`Session ${done.session} and its files are back at the end of step ${done.step}.`);
  if (done.aside.length > 0)
    screen.line(screen.style.dim(`What came later is kept as ${done.aside.join(', ')}.`));
  return cli.next(project, 'resume', done.session, '--guidance', STAND_INS.guidance);
}
