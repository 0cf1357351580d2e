import type { Command } from 'commander';
import type { WorkCommandOptions } from '../commands/work.ts';
import type { Screen } from '../output.ts';
import type { Register } from '../program.ts';

/** The commands that work the backlog off. */
export function declareRuntimeCommands(program: Command, screen: Screen, register: Register): void {
  program.commandsGroup('Backlog:');
  program
    .command('work')
    .description('work the backlog off: claim a task, run it, verify it, deliver it, next')
    .option('--role <role>', 'worker, tester or docser')
    .option('--once', 'end when there is nothing to do, instead of waiting for more')
    .option('--concurrency <n>', 'how many tasks at once', '1')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON object per event and line, the result last')
    .action((options: WorkCommandOptions) =>
      register(async () => (await import('../commands/work.ts')).workCommand(screen, options)),
    );
}
