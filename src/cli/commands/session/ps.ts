import type { Command } from 'commander';
import { clip, duration, oneLine } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import { actionJson, type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, sentenceFor } from '../../cli.ts';
import { table } from '../../display/table.ts';

interface PsOptions extends ProjectOptions {
  readonly needsYou?: true;
}

type Left = NonNullable<Awaited<ReturnType<Project['running']>>[number]['left']>;

export function declarePs(program: Command, cli: Cli): void {
  program
    .command('ps')
    .description('list what runs now, and what died while it ran')
    .option('--needs-you', 'only what waits for a person, with what to do about it')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(
      cli.action((options: PsOptions) => (options.needsYou ? needsYou(cli, options) : ps(cli, options))),
    );
}

async function ps(cli: Cli, options: PsOptions): Promise<void> {
  const { screen } = cli;
  const { green, red } = screen.style;
  const project = await cli.open(options);
  const living = await project.running();
  if (options.json) return cli.json({ sessions: living });
  const [first] = living;
  if (!first) {
    screen.line('Nothing is running.');
    return cli.next(project, 'sessions');
  }
  const rows = living.map((entry) => [
    entry.id,
    entry.ownerAlive ? { text: 'running', paint: green } : { text: 'dead', paint: red },
    `${entry.owner.pid}@${entry.owner.host}`,
    duration(Date.now() - entry.updatedAt),
    entry.currentBlock ?? '',
    clip(oneLine(entry.goal), 50),
  ]);
  const head = ['session', 'process', 'pid', 'since step', 'at', 'goal'];
  for (const line of table(head, rows, screen)) screen.line(line);
  for (const { id, left, currentBlock, step } of living) {
    if (left) screen.line(`${id}: ${leftWords(left, currentBlock, step)}`);
  }
  const dead = living.find(({ ownerAlive }) => !ownerAlive);
  if (!dead) return cli.next(project, 'show', first.id);
  return dead.task === null ? cli.next(project, 'resume', dead.id) : cli.next(project, 'work');
}

/** What it was doing when it was killed, and what became of that. */
function leftWords({ agents, ended }: Left, block: string | null, step: number): string {
  const who =
    agents.length === 0
      ? 'it was'
      : `${[...new Set(agents)].join(' and ')} ${agents.length > 1 ? 'were' : 'was'}`;
  const where = block === null ? '' : ` at ${block}`;
  const processes =
    ended === 1 ? 'one process of it still ran and was' : `${ended} processes of it still ran and were`;
  const after = ended === 0 ? 'nothing of it runs any more' : `${processes} ended now`;
  return `its process died in step ${step + 1}, when ${who} at work${where}; ${after}`;
}

/** What waits for a person, the longest first. */
async function needsYou(cli: Cli, options: PsOptions): Promise<void> {
  const { screen } = cli;
  const { bold, yellow, dim } = screen.style;
  const project = await cli.open(options);
  const items = await project.needsYou();
  if (options.json) {
    const told = items.map(({ actions, ...item }) => ({
      ...item,
      actions: actions.map((each) => actionJson(project, each)),
    }));
    return cli.json({ items: told });
  }
  if (items.length === 0) {
    screen.line('Nothing needs you.');
    return cli.next(project, 'ps');
  }
  for (const { kind, since, title, what, actions } of items) {
    const waited = dim(`${kind}, for ${duration(Math.max(0, Date.now() - since))}`);
    screen.line(`${yellow('!')} ${bold(clip(oneLine(title), 60))}  ${waited}`);
    if (what !== '') screen.line(`  ${clip(oneLine(what), 120)}`);
    for (const each of actions) screen.line(`  ${sentenceFor(project, each)}`);
  }
}
