import type { Command } from 'commander';
import type { GraphOptions } from '../commands/graph.ts';
import type { SimulateOptions } from '../commands/simulate.ts';
import type { ValidateOptions } from '../commands/validate.ts';
import type { Screen } from '../output.ts';
import type { Register } from '../program.ts';

const FILE = 'a manifest, or the name of a shipped one; the workflow of this project otherwise';

/** The commands that look at a manifest and start nothing. */
export function declareWorkflowCommands(program: Command, screen: Screen, register: Register): void {
  program.commandsGroup('Workflows:');
  program
    .command('validate')
    .description('check a manifest and name all its problems')
    .argument('[file]', FILE)
    .option('--strict', 'warnings count as errors')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((file: string | undefined, options: ValidateOptions) =>
      register(async () => (await import('../commands/validate.ts')).validate(screen, file, options)),
    );

  program
    .command('graph')
    .description('draw a manifest')
    .argument('[file]', FILE)
    .option('--mermaid', 'as a Mermaid flowchart')
    .option('--start <node>', 'the node to draw first')
    .option('--dir <path>', 'the project')
    .option('--json', 'the resolved manifest as one JSON document')
    .action((file: string | undefined, options: GraphOptions) =>
      register(async () => (await import('../commands/graph.ts')).graph(screen, file, options)),
    );

  program
    .command('simulate')
    .description('run a manifest through the real engine with scripted results instead of workers')
    .argument('[file]', FILE)
    .requiredOption('--stubs <file>', 'what each block answers, visit by visit')
    .option('--start <node>', 'the node to start in, instead of the one in the stub file')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((file: string | undefined, options: SimulateOptions) =>
      register(async () => (await import('../commands/simulate.ts')).simulate(screen, file, options)),
    );
}
