import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import { withResultLine } from '../../errors.ts';
import { type RunOptions, start, withRunOptions } from './run.ts';

export function declarePipeline(program: Command, cli: Cli): void {
  const piping = program
    .command('pipeline')
    .description('run the stages of a file: agents side by side, one stage after the other')
    .argument('<file>', 'the pipeline')
    .argument('[goal]', 'what is to be reached; {{goal}} in its prompts');
  withRunOptions(piping).action(
    cli.action((file: string, goal: string | undefined, options: RunOptions) =>
      withResultLine(cli, options, () =>
        start(cli, options, (project, request) => project.pipeline(file, goal, request)),
      ),
    ),
  );
}
