import type { Command } from 'commander';
import { UsageError } from '../../../kernel/errors.ts';
import { age, bytes, count } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import { confirm } from '../../ask.ts';
import { type Cli, commandFor, DIR, JSON_DOCUMENT } from '../../cli.ts';
import { table } from '../../display/table.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { parseAge } from '../../option-values.ts';
import type { Screen } from '../../output.ts';

interface CleanOptions extends TrustOptions {
  readonly olderThan?: string;
  readonly dryRun?: true;
  readonly yes?: true;
  readonly force?: true;
}

type Plan = Awaited<ReturnType<Project['cleanable']>>;
type Disk = Awaited<ReturnType<Project['disk']>>;

export function declareClean(program: Command, cli: Cli): void {
  program
    .command('clean')
    .description('delete sessions that have ended')
    .argument('[session...]', 'only these')
    .option('--older-than <age>', 'only those that ended longer ago, such as 7d or 12h')
    .option('--dry-run', 'only show what would be deleted')
    .option('-y, --yes', 'do not ask')
    .option(
      '--force',
      'also sessions named here that could still be continued, or whose work was delivered nowhere',
    )
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(cli.action((ids: string[], options: CleanOptions) => clean(cli, ids, options)));
}

async function clean(cli: Cli, named: readonly string[], options: CleanOptions): Promise<void> {
  const { screen } = cli;
  const request = {
    sessions: named,
    olderThanMs: options.olderThan === undefined ? 0 : parseAge(options.olderThan),
    force: options.force ?? false,
  };
  const project = await openTrusted(cli, options);
  const plan = await project.cleanable(request);
  // Looking at every file takes its time: not where somebody has decided already.
  const disk = options.dryRun || (named.length === 0 && !options.yes) ? await project.disk() : undefined;
  if (!options.json) {
    if (disk) printDisk(screen, disk);
    printPlan(screen, plan);
  }
  const sure = plan.chosen.length > 0 && !options.dryRun && (await mayDelete(cli, project, plan, options));
  // What was shown is what goes: nobody has agreed to a session that ended meanwhile.
  const chosen = plan.chosen.map(({ id }) => id);
  const done = sure ? await project.clean({ ...request, sessions: chosen }) : undefined;
  if (options.json) {
    const { chosen: sessions, bytes: total, kept, filesKept, undelivered } = plan;
    const freed = done ? { databaseFreed: done.freed } : {};
    const deleted = done !== undefined;
    return cli.json({
      deleted,
      sessions,
      bytes: total,
      kept,
      filesKept,
      undelivered,
      ...(disk ? { disk } : {}),
      ...freed,
    });
  }
  for (const note of done?.notes ?? []) screen.line(screen.style.yellow(`! ${note}`));
  if (done) {
    const smaller = done.freed > 0 ? ` The database is ${bytes(done.freed)} smaller.` : '';
    screen.line(`Deleted ${count(plan.chosen.length, 'session')}.${smaller}`);
  } else if (plan.chosen.length > 0) screen.line('Nothing was deleted.');
  return !done && plan.chosen.length > 0
    ? cli.next(project, 'clean', '--yes')
    : cli.next(project, 'sessions');
}

async function mayDelete(
  { screen }: Cli,
  project: Project,
  plan: Plan,
  options: CleanOptions,
): Promise<boolean> {
  if (options.yes) return true;
  const what = count(plan.chosen.length, 'session');
  if (screen.interactive && !options.json) return confirm(`Delete ${what}?`);
  throw new UsageError(`Nobody can be asked here whether ${what} may be deleted.`, {
    next: `Look with \`${commandFor(project, 'clean', '--dry-run')}\`, then delete with --yes.`,
  });
}

function printDisk(screen: Screen, disk: Disk): void {
  const rows = disk.map(({ what, count: n, bytes: size }) => [
    what,
    String(n),
    size === undefined ? 'in the objects of git' : bytes(size),
  ]);
  for (const line of table(['kept', 'count', 'disk'], rows, screen)) screen.line(line);
  screen.line('');
}

function printPlan(screen: Screen, { chosen, kept, bytes: total, filesKept, undelivered }: Plan): void {
  const { dim } = screen.style;
  const rows = chosen.map(({ id, status, size, updatedAt }) => [
    id,
    status,
    age(Date.now() - updatedAt),
    bytes(size),
  ]);
  if (rows.length > 0)
    for (const line of table(['session', 'status', 'ended', 'size'], rows, screen)) screen.line(line);
  screen.line(`${count(chosen.length, 'session')} to delete, ${bytes(total)}`);
  for (const [id, why] of Object.entries(filesKept)) screen.line(dim(`the files of ${id} stay: ${why}`));
  for (const [id, why] of Object.entries(undelivered))
    screen.line(`${id} is kept: ${why} Accept it or discard it.`);
  const others = kept - Object.keys(undelivered).length;
  if (others > 0) screen.line(dim(`${count(others, 'session')} kept: younger, or could still be continued`));
}
