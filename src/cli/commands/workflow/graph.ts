import type { Command } from 'commander';
import { type Cli, DIR, type ProjectOptions } from '../../cli.ts';
import { FILE } from './validate.ts';

interface GraphOptions extends ProjectOptions {
  readonly mermaid?: true;
  readonly start?: string;
}

export function declareGraph(program: Command, cli: Cli): void {
  program
    .command('graph')
    .description('draw a manifest')
    .argument('[file]', FILE)
    .option('--mermaid', 'as a Mermaid flowchart')
    .option('--start <node>', 'the node to draw first')
    .option(...DIR)
    .option('--json', 'the resolved manifest as one JSON document')
    .action(cli.action((file: string | undefined, options: GraphOptions) => graph(cli, file, options)));
}

async function graph(cli: Cli, file: string | undefined, options: GraphOptions): Promise<void> {
  const { start } = options;
  const project = await cli.open(options);
  const { width } = cli.screen;
  const drawn = await project.graph(file, {
    ...(start === undefined ? {} : { start }),
    ...(Number.isFinite(width) ? { width } : {}),
  });
  if (options.json) return cli.json(drawn.manifest);
  if (options.mermaid) return cli.screen.line(drawn.mermaid);
  cli.screen.line(drawn.text);
  return cli.next(project, 'validate', drawn.workflow);
}
