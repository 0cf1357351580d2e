import type { Command } from 'commander';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, SESSION } from '../../cli.ts';
import { refuseEmpty, STAGE_TASK, type StageTaskOptions } from './answer.ts';

const HOW = {
  complete: {
    description: 'end an interactive task as done, so that the next stage may start',
    said: (task: string) => `Task ${task} is done.`,
  },
  stop: {
    description: 'end a running task as not done',
    said: (task: string) => `Task ${task} is stopped; its stage has failed.`,
  },
} as const;

/** `complete` and `stop`. */
export function declareEndTask(program: Command, cli: Cli): void {
  for (const how of ['complete', 'stop'] as const) {
    program
      .command(how)
      .description(HOW[how].description)
      .argument('[session]', SESSION)
      .option('--task <id>', STAGE_TASK)
      .option(...DIR)
      .option(...JSON_DOCUMENT)
      .action(
        cli.action(async (id: string | undefined, options: StageTaskOptions) => {
          refuseEmpty(options);
          const project = await cli.open(options);
          const session = await toChange(cli, project, id, options, 'reach');
          const ended = await project.endStageTask(how, session, { stageTask: options.task });
          if (options.json) cli.json(ended);
          else cli.screen.line(HOW[how].said(ended.task));
        }),
      );
  }
}
