import type { Command } from 'commander';
import { age, duration } from '../../../kernel/words.ts';
import { toLookAt } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, SESSION } from '../../cli.ts';
import { table } from '../../display/table.ts';

export function declareTimeline(program: Command, cli: Cli): void {
  program
    .command('timeline')
    .description('show the steps of a session and which of them changed files')
    .argument('[session]', SESSION)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: ProjectOptions) => timeline(cli, id, options)));
}

async function timeline(cli: Cli, id: string | undefined, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const project = await cli.open(options);
  const found = await project.timeline(await toLookAt(cli, project, id, options));
  if (options.json) return cli.json(found);
  const changes = new Map(found.checkpoints.map((entry) => [entry.step, entry]));
  const rows = found.steps.map((entry) => {
    const files = entry.ran ? changes.get(entry.step) : undefined;
    return [
      String(entry.step),
      entry.block,
      entry.signal.replace(/^SIGNAL:/, ''),
      duration(entry.ms),
      age(Date.now() - entry.at),
      files ? `+${files.added} ~${files.modified} -${files.deleted}` : '',
    ];
  });
  for (const line of table(['step', 'block', 'signal', 'took', 'ago', 'files'], rows, screen))
    screen.line(line);
  const last = found.checkpoints.at(-1)?.step ?? 0;
  return cli.next(project, 'fork', found.session, '--at', String(last));
}
