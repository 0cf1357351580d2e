import type { Command } from 'commander';
import { UsageError } from '../../../kernel/errors.ts';
import { oneLine } from '../../../kernel/words.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_LINES, SESSION } from '../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { parsePosition } from '../../option-values.ts';
import { continueSession } from '../session/continue.ts';

interface ForkOptions extends TrustOptions {
  readonly at: string;
  readonly guidance?: string;
  readonly run: boolean;
  readonly wait: boolean;
}

export function declareFork(program: Command, cli: Cli): void {
  program
    .command('fork')
    .description('start a new session from where another one was after a step, in its own worktree')
    .argument('[session]', SESSION)
    .requiredOption('--at <n>', 'the step; 0 is the beginning')
    .option('-g, --guidance <text>', 'what the next worker should know')
    .option('--no-run', 'only make it; `resume` starts it')
    .option(
      '--no-wait',
      'end instead of waiting for other sessions, or for the time a session is parked until',
    )
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_LINES)
    .action(cli.action((id: string | undefined, options: ForkOptions) => fork(cli, id, options)));
}

async function fork(cli: Cli, id: string | undefined, options: ForkOptions): Promise<number | void> {
  const { screen } = cli;
  const at = parsePosition(options.at);
  if (!options.run && options.guidance !== undefined) {
    throw new UsageError('--guidance is for the worker that runs next, and --no-run runs none.', {
      next: 'Leave one of them out; resuming the session takes --guidance too.',
    });
  }
  const project = await openTrusted(cli, options);
  const { goal, ...forked } = await project.fork(await toChange(cli, project, id, options, 'fork'), { at });
  if (!options.json) {
    const where = `${forked.from} was after step ${at} (${oneLine(goal)})`;
    screen.line(`Session ${forked.session} begins where ${where}.`);
  }
  if (options.run) return continueSession(cli, 'resume', forked.session, options);
  if (options.json) return cli.json(forked);
  return cli.next(project, 'resume', forked.session);
}
