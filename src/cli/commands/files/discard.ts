import type { Command } from 'commander';
import { UsageError } from '../../../kernel/errors.ts';
import { count } from '../../../kernel/words.ts';
import { confirm } from '../../ask.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, SESSION } from '../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';

interface DiscardOptions extends TrustOptions {
  readonly yes?: true;
}

export function declareDiscard(program: Command, cli: Cli): void {
  program
    .command('discard')
    .description('delete the worktree, branch and checkpoints of a session')
    .argument('[session]', SESSION)
    .option('-y, --yes', 'do not ask')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: DiscardOptions) => discard(cli, id, options)));
}

async function discard(cli: Cli, id: string | undefined, options: DiscardOptions): Promise<number | void> {
  const { screen } = cli;
  const project = await openTrusted(cli, options);
  const { session, isAnythingLeft, changedFiles } = await project.discardable(
    await toChange(cli, project, id, options, 'discard'),
  );
  const size = changedFiles === undefined ? '' : ` (${count(changedFiles, 'changed file')})`;
  const what = `the worktree, branch and checkpoints of session ${session}${size}`;
  if (isAnythingLeft && !(await mayDiscard(cli, what, options))) return 1;
  const done = await project.discard(session);
  if (options.json) return cli.json(done);
  if (!isAnythingLeft)
    return screen.line(`Nothing is left of the files of session ${session}: they were discarded already.`);
  screen.line(`Discarded ${what}.`);
  for (const problem of done.problems) screen.line(screen.style.yellow(`! ${problem}`));
  if (done.commit)
    screen.line(screen.style.dim(`git still finds its last commit for a while: ${done.commit}`));
  return cli.next(project, 'clean', session);
}

async function mayDiscard({ screen }: Cli, what: string, options: DiscardOptions): Promise<boolean> {
  if (options.yes) return true;
  if (screen.interactive && !options.json) return confirm(`Delete ${what}?`);
  throw new UsageError(`Nobody can be asked here whether to delete ${what}.`, {
    next: 'Repeat it with --yes.',
  });
}
