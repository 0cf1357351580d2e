import type { Command } from 'commander';
import type { Project } from '../../../project/project.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { Attempts, finishedLine, widestBlock } from '../../display/steps.ts';
import type { Screen } from '../../output.ts';
import { FILE } from './validate.ts';

interface SimulateOptions extends ProjectOptions {
  readonly stubs: string;
  readonly start?: string;
}

type Simulation = Awaited<ReturnType<Project['simulate']>>;

export function declareSimulate(program: Command, cli: Cli): void {
  program
    .command('simulate')
    .description('run a manifest through the real engine with scripted results instead of workers')
    .argument('[file]', FILE)
    .requiredOption('--stubs <file>', 'what each block answers, visit by visit')
    .option('--start <node>', 'the node to start in, instead of the one in the stub file')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((file: string | undefined, options: SimulateOptions) => simulate(cli, file, options)));
}

async function simulate(cli: Cli, file: string | undefined, options: SimulateOptions): Promise<number> {
  const { screen } = cli;
  const { stubs, start } = options;
  const project = await cli.open(options);
  const result = await project.simulate(file, { stubs, ...(start === undefined ? {} : { start }) });
  const code = result.differences.length === 0 ? 0 : 1;
  if (options.json) {
    const { workflow, json, path, expected = null, differences } = result;
    cli.json({ workflow, ...json, path, expected, differences });
    return code;
  }
  print(screen, result);
  if (code !== 0)
    screen.line(`${screen.style.cyan('next:')} correct the workflow or the expectation, then simulate again`);
  else cli.next(project, 'run', '<goal>', '--workflow', result.workflow);
  return code;
}

function print(
  screen: Screen,
  { manifest, trail, status, reason, unused, expected, differences }: Simulation,
): void {
  const { green, red, yellow } = screen.style;
  const attempts = new Attempts();
  const layout = { style: screen.style, width: widestBlock(manifest), most: screen.width };
  for (const entry of trail) {
    screen.line(finishedLine(entry, attempts.next(entry.block), layout));
    if (entry.ran) attempts.finished(entry.block);
  }
  screen.line(`${status}${reason === undefined ? '' : `: ${reason}`}`);
  for (const line of unused) screen.line(yellow(`! ${line}`));
  if (differences.length > 0) {
    screen.line();
    screen.line(`${red('✗')} not as expected`);
    for (const line of differences) screen.line(`  ${line}`);
  } else if (expected) screen.line(`${green('✓')} as expected`);
}
