import type { Command } from 'commander';
import { toChange } from '../../../choose.ts';
import { type Cli, TASK } from '../../../cli.ts';
import { type DraftOptions, draftFrom, withDraftOptions } from './draft-options.ts';
import { tellTask } from './tell-task.ts';

interface EditOptions extends DraftOptions {
  readonly title?: string;
  readonly needs?: readonly string[] | false;
  readonly acceptSecrets?: string;
}

export function declareEdit(task: Command, cli: Cli): void {
  const editing = task
    .command('edit')
    .description('change a task that does not run')
    .argument('[task]', TASK);
  withDraftOptions(editing)
    .option('--title <text>', 'what is to be done')
    .option('--needs <task...>', 'tasks that must be done before, in place of those it has')
    .option('--no-needs', 'no other task must be done before')
    .option(
      '--accept-secrets <reason>',
      'let it deliver although its change carries a secret; the commit says why',
    )
    .action(cli.action((id: string | undefined, options: EditOptions) => edit(cli, id, options)));
}

async function edit(cli: Cli, id: string | undefined, options: EditOptions): Promise<void> {
  const { title, needs, acceptSecrets } = options;
  const project = await cli.open(options);
  const changed = await project.editTask(await toChange(cli, project, id, options, 'editTask'), {
    ...draftFrom(options),
    ...(title === undefined ? {} : { title }),
    ...(acceptSecrets === undefined ? {} : { acceptSecrets }),
    ...(needs === undefined ? {} : { needs: needs || [] }),
  });
  return tellTask(cli, project, changed, options, 'Changed');
}
