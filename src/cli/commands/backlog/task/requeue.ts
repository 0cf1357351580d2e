import type { Command } from 'commander';
import { toChange } from '../../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, TASK } from '../../../cli.ts';
import { tellTask } from './tell-task.ts';

interface RequeueOptions extends ProjectOptions {
  readonly reason?: string;
  readonly notes?: string;
}

export function declareRequeue(task: Command, cli: Cli): void {
  task
    .command('requeue')
    .description('put a failed, blocked or cancelled task back in line')
    .argument('[task]', TASK)
    .option('--reason <text>', 'why, for whoever looks at it later')
    .option('--notes <text>', 'what the next attempt should know')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: RequeueOptions) => requeue(cli, id, options)));
}

async function requeue(cli: Cli, id: string | undefined, options: RequeueOptions): Promise<void> {
  const { reason, notes } = options;
  const project = await cli.open(options);
  const changed = await project.requeueTask(await toChange(cli, project, id, options, 'requeueTask'), {
    ...(reason === undefined ? {} : { reason }),
    ...(notes === undefined ? {} : { notes }),
  });
  return tellTask(cli, project, changed, options, 'Back in line:');
}
