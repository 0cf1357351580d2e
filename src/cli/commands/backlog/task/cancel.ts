import type { Command } from 'commander';
import { toChange } from '../../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, TASK } from '../../../cli.ts';
import { tellTask } from './tell-task.ts';

interface CancelOptions extends ProjectOptions {
  readonly reason?: string;
}

export function declareCancel(task: Command, cli: Cli): void {
  task
    .command('cancel')
    .description('take a task out of the line; one that runs is stopped')
    .argument('[task]', TASK)
    .option('--reason <text>', 'why, for whoever looks at it later')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: CancelOptions) => cancel(cli, id, options)));
}

async function cancel(cli: Cli, id: string | undefined, options: CancelOptions): Promise<void> {
  const { screen } = cli;
  const project = await cli.open(options);
  const changed = await project.cancelTask(
    await toChange(cli, project, id, options, 'cancelTask'),
    options.reason,
  );
  for (const note of options.json ? [] : changed.notes) screen.line(screen.style.yellow(`! ${note}`));
  return tellTask(cli, project, changed.task, options, 'Cancelled');
}
