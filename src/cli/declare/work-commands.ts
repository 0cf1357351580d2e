import { type Command, Option } from 'commander';
import type { ConfigOptions } from '../commands/config.ts';
import type { DemoOptions } from '../commands/demo.ts';
import type { InitOptions } from '../commands/init.ts';
import type { PipelineOptions } from '../commands/pipeline.ts';
import type { RunOptions } from '../commands/run.ts';
import type { Screen } from '../output.ts';
import type { Register } from '../program.ts';
import { withResultLine } from '../result-line.ts';

/** The commands that start something. */
export function declareWorkCommands(program: Command, screen: Screen, register: Register): void {
  program.commandsGroup('Work:');
  program
    .command('demo')
    .description('watch the test-fix cycle correct itself: offline, without a key, in a few seconds')
    .option('--halt', 'an agent that never gets it right: see a halt, and how to go on from it')
    .option('--keep', 'make the project in ./loopwright-demo instead of a temporary folder')
    .option('--json', 'one JSON object per line')
    .action((options: DemoOptions) =>
      register(() =>
        withResultLine(screen, options.json, async () =>
          (await import('../commands/demo.ts')).demo(screen, options),
        ),
      ),
    );

  program
    .command('init')
    .description('find the test, lint and build commands of this project and write .loopwright/config.json')
    .option('-y, --yes', 'do not ask')
    .option('--force', 'replace an existing configuration')
    .option('--dir <path>', 'the project', '.')
    .option('--json', 'one JSON document')
    .action((options: InitOptions) =>
      register(async () => (await import('../commands/init.ts')).init(screen, options)),
    );

  program
    .command('config')
    .description('show what the runtime is told, and where each value comes from')
    .option('--all', 'also what is at its default')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((options: ConfigOptions) =>
      register(async () => (await import('../commands/config.ts')).config(screen, options)),
    );

  const running = program
    .command('run')
    .description('run a workflow towards a goal')
    .argument('<goal>', 'what is to be reached, in your words')
    .option('-w, --workflow <file>', 'a manifest, or the name of a shipped one')
    .option('--start <node>', 'the node to start in; the first one of the manifest otherwise');
  withRunOptions(running).action((goal: string, options: RunOptions) =>
    register(() =>
      withResultLine(screen, options.json, async () =>
        (await import('../commands/run.ts')).run(screen, goal, options),
      ),
    ),
  );

  const piping = program
    .command('pipeline')
    .description('run the stages of a file: agents side by side, one stage after the other')
    .argument('<file>', 'the pipeline')
    .argument('[goal]', 'what is to be reached; {{goal}} in its prompts');
  withRunOptions(piping).action((file: string, goal: string | undefined, options: PipelineOptions) =>
    register(() =>
      withResultLine(screen, options.json, async () =>
        (await import('../commands/pipeline.ts')).pipeline(screen, file, goal, options),
      ),
    ),
  );
}

/** What `run` and `pipeline` have in common. */
function withRunOptions(command: Command): Command {
  return command
    .option('--agent <name>', 'the agent that does the work, such as claude; `loopwright agents` lists them')
    .option('--step', 'halt before every block; `loopwright step` runs the next one')
    .option('-i, --input <key=value...>', 'a value for {{inputs.key}}')
    .addOption(budgetOption())
    .option('--in-place', 'work on the files of the project itself, without a worktree')
    .option('--include-dirty', 'copy uncommitted changes of the checkout into the worktree')
    .option('--base <ref>', 'the branch, tag or commit to start from; the current one otherwise')
    .option(
      '--plan <path...>',
      'what it means to change: files, folders or globs; it waits for others with the same',
    )
    .option('--priority <n>', 'who goes first among those that wait: the lower number')
    .option('--dir <path>', 'the project to work in')
    .option(
      '--no-wait',
      'end instead of waiting for other sessions, or for the time a session is parked until',
    )
    .option('--json', 'one JSON object per event and line, the result last');
}

export function budgetOption(): Option {
  return new Option('--budget <list>', 'what may be spent, such as steps=50,usd=2,tokens=200000,minutes=30');
}
