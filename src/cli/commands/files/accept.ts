import type { Command } from 'commander';
import { count } from '../../../kernel/words.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT } from '../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { whileProving } from '../../while-proving.ts';

interface AcceptOptions extends TrustOptions {
  readonly pr?: true;
  readonly merge?: true;
  readonly message?: string;
  readonly acceptSecrets?: string;
  readonly unproven?: true;
  readonly suspicious?: string;
  readonly into?: string;
}

export function declareAccept(program: Command, cli: Cli): void {
  program
    .command('accept')
    .description('bring the work of a session, or of a task that waits for a verdict, into its base branch')
    .argument('[session]', 'its id, or that of a task; its last four characters are enough')
    .option('--merge', 'as a merge that keeps its commits, instead of one commit')
    .option('--pr', 'as a pull request on the remote "origin", instead of a commit here')
    .option('--into <branch>', 'another branch than the one it started from')
    .option('-m, --message <text>', 'the commit message; otherwise the goal and what was checked')
    .option('--unproven', 'although nothing proves the result; the commit says so')
    .option('--suspicious <reason>', 'although it made its checks worth less; the commit says why')
    .option('--accept-secrets <reason>', 'although the change carries a secret; the commit says why')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: AcceptOptions) => accept(cli, id, options)));
}

async function accept(cli: Cli, id: string | undefined, options: AcceptOptions): Promise<number | void> {
  const { screen } = cli;
  const { pr, merge, message, unproven, suspicious, into, acceptSecrets } = options;
  const project = await openTrusted(cli, options);
  const session = await toChange(cli, project, id, options, 'accept');
  const outcome = await whileProving(cli, options, (company) =>
    project.accept(session, {
      ...company,
      ...(pr === undefined ? {} : { pr }),
      ...(merge === undefined ? {} : { merge }),
      ...(message === undefined ? {} : { message }),
      ...(unproven === undefined ? {} : { unproven }),
      ...(suspicious === undefined ? {} : { suspicious }),
      ...(into === undefined ? {} : { into }),
      ...(acceptSecrets === undefined ? {} : { acceptSecrets }),
    }),
  );
  if ('interrupted' in outcome) return outcome.interrupted;
  const accepted = outcome.done;
  if (options.json) return cli.json(accepted);
  if (accepted.kind === 'nothing-to-accept')
    screen.line('The session changed nothing, so there is nothing to accept.');
  else {
    const { files, insertions, deletions } = accepted.change;
    const what = `${count(files.length, 'file')}, +${insertions} -${deletions}`;
    if (accepted.kind === 'proposed') {
      screen.line(`Proposed for ${accepted.base}: ${what}, ${accepted.url}`);
      return cli.next(project, 'show', accepted.session);
    }
    const verb = accepted.kind === 'accepted' ? 'Accepted' : 'Accepted already';
    screen.line(`${verb}: ${what}, as ${accepted.commit.slice(0, 12)} on ${accepted.base}.`);
  }
  return cli.next(project, 'worktrees', 'gc');
}
