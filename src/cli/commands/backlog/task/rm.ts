import type { Command } from 'commander';
import { toChange } from '../../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, TASK } from '../../../cli.ts';

export function declareRemove(task: Command, cli: Cli): void {
  task
    .command('rm')
    .description('delete a task with its runs and events')
    .argument('[task]', TASK)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: ProjectOptions) => remove(cli, id, options)));
}

async function remove(cli: Cli, written: string | undefined, options: ProjectOptions): Promise<void> {
  const { screen } = cli;
  const project = await cli.open(options);
  const { id, notes } = await project.removeTask(
    await toChange(cli, project, written, options, 'removeTask'),
  );
  if (options.json) return cli.json({ id, removed: true });
  for (const note of notes) screen.line(screen.style.yellow(`! ${note}`));
  screen.line(`Removed ${id} with its runs and events.`);
  return cli.next(project, 'task', 'list');
}
