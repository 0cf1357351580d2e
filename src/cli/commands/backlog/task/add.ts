import type { Command } from 'commander';
import type { Cli } from '../../../cli.ts';
import { type DraftOptions, draftFrom, withDraftOptions } from './draft-options.ts';

interface AddOptions extends DraftOptions {
  readonly needs?: readonly string[];
}

export function declareAdd(task: Command, cli: Cli): void {
  const adding = task.command('add').description('add a task').argument('<title>', 'what is to be done');
  withDraftOptions(adding)
    .option('--needs <task...>', 'tasks that must be done before')
    .action(cli.action((title: string, options: AddOptions) => add(cli, title, options)));
}

async function add(cli: Cli, title: string, options: AddOptions): Promise<void> {
  const project = await cli.open(options);
  const added = await project.addTask(title, { ...draftFrom(options), needs: options.needs ?? [] });
  if (options.json) return cli.json(added);
  cli.screen.line(`Added ${added.id}: ${title}`);
  return cli.next(project, 'work');
}
