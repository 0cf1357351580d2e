import type { Command } from 'commander';
import { type Cli, DIR, JSON_LINES, type ProjectOptions } from '../../cli.ts';

/** How a dashboard runs an experiment in a process of its own; a person has no use for it, so the help leaves it out. */
export function declareRunExperiment(program: Command, cli: Cli): void {
  program
    .command('run-experiment', { hidden: true })
    .description('run an experiment that a dashboard has made of a call')
    .argument('<experiment>', 'its id')
    .option(...DIR)
    .option(...JSON_LINES)
    .action(cli.action((id: string, options: ProjectOptions) => runExperiment(cli, id, options)));
}

async function runExperiment(cli: Cli, id: string, options: ProjectOptions): Promise<number> {
  const project = await cli.open(options);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());
  cli.json({ type: 'experiment.started', experiment: id });
  const { status } = await project.runExperiment(id, { cancel: stop.signal });
  cli.json({ type: 'result', experiment: id, status, exitCode: status === 'completed' ? 0 : 2 });
  return status === 'completed' ? 0 : 2;
}
