import type { Command } from 'commander';
import { age, bytes, count } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, sentenceFor } from '../../cli.ts';
import { table } from '../../display/table.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';

interface GcOptions extends TrustOptions {
  readonly dryRun?: true;
  readonly force?: true;
}

export function declareWorktrees(program: Command, cli: Cli): void {
  const worktrees = program
    .command('worktrees')
    .description('list the worktrees of sessions, or remove those nobody needs');
  worktrees
    .command('list', { isDefault: true })
    .description('show age, size and state of each')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ProjectOptions) => list(cli, options)));
  worktrees
    .command('gc')
    .description('remove those of ended sessions; never uncommitted or unmerged work')
    .option('--dry-run', 'only show what would be removed')
    .option(
      '--force',
      'also uncommitted or unmerged work of ended sessions; says where the last checkpoint is',
    )
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: GcOptions) => gc(cli, options)));
}

async function list(cli: Cli, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const { dim, yellow } = screen.style;
  const project = await cli.open(options);
  const found = await project.worktrees();
  if (options.json) return cli.json(found);
  for (const { message, next } of found.findings) {
    screen.line(yellow(`! ${message}`));
    if (next !== undefined) screen.line(dim(`  ${sentenceFor(project, next)}`));
  }
  if (found.worktrees.length === 0) screen.line('No worktrees.');
  const rows = found.worktrees.map((view) => [
    view.id,
    view.health,
    age(view.ageMs),
    bytes(view.bytes),
    `${view.uncommitted} uncommitted, ${view.unmerged} unmerged`,
    view.branch,
  ]);
  if (rows.length > 0) {
    const head = ['session', 'state', 'age', 'size', 'work', 'branch'];
    for (const line of table(head, rows, screen)) screen.line(line);
  }
  return cli.next(project, 'worktrees', 'gc', '--dry-run');
}

async function gc(cli: Cli, options: GcOptions): Promise<void> {
  const { screen } = cli;
  const { dryRun = false, force = false } = options;
  const project = await openTrusted(cli, options);
  const done = await project.gc({ dryRun, force });
  if (options.json) return cli.json(done);
  if (done.worktrees.length === 0) screen.line('No worktrees.');
  for (const item of done.worktrees) screen.line(itemLine(item, screen.style.dim));
  for (const { session, refs, action, reason } of done.checkpoints)
    screen.line(`${action.padEnd(12)} ${session}  ${count(refs, 'checkpoint')}  ${reason}`);
  for (const problem of done.problems) screen.line(screen.style.yellow(`! ${problem}`));
  const left = [...done.worktrees, ...done.checkpoints].some(({ action }) => action === 'would-remove');
  return cli.next(project, ...(left ? ['worktrees', 'gc', ...(force ? ['--force'] : [])] : ['sessions']));
}

type GcItem = Awaited<ReturnType<Project['gc']>>['worktrees'][number];

function itemLine(
  { id, action, reason, commit, checkpoint, bytes: size }: GcItem,
  dim: (text: string) => string,
): string {
  const held = checkpoint ?? commit;
  const where = held === undefined ? '' : dim(`  (kept as ${held})`);
  return `${action.padEnd(12)} ${id}  ${bytes(size)}  ${reason}${where}`;
}
