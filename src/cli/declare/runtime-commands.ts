import type { Command } from 'commander';
import type { JudgeOptions } from '../commands/judge.ts';
import type { ResearchCommandOptions } from '../commands/research.ts';
import type { RestoreOptions } from '../commands/restore.ts';
import type { RuntimesOptions } from '../commands/runtimes.ts';
import type { WorkCommandOptions } from '../commands/work.ts';
import type { Screen } from '../output.ts';
import type { Register } from '../program.ts';

const TASK = 'its id; the first or last four characters are enough when only one fits';

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

  program
    .command('runtimes')
    .description('show which runtimes work on the backlog, and whether they live')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((options: RuntimesOptions) =>
      register(async () => (await import('../commands/runtimes.ts')).runtimesCommand(screen, options)),
    );

  program
    .command('judge')
    .description('your verdict on what a task delivered')
    .argument('<task>', TASK)
    .argument('<verdict>', 'approve or rework')
    .argument('[notes]', 'what the next attempt should know')
    .option('--merge', 'github: merge the pull request too')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((task: string, verdict: string, notes: string | undefined, options: JudgeOptions) =>
      register(async () =>
        (await import('../commands/judge.ts')).judge(screen, task, verdict, notes, options),
      ),
    );

  program
    .command('restore')
    .description('put back what a task in direct mode changed, as far as a copy was kept')
    .argument('<task>', TASK)
    .argument('[path...]', 'only these files')
    .option('-y, --yes', 'do not ask')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((task: string, paths: string[], options: RestoreOptions) =>
      register(async () => (await import('../commands/restore.ts')).restore(screen, task, paths, options)),
    );

  program
    .command('research')
    .description('answer a question with sources: plan, collect, challenge, write')
    .argument('[question]', 'what you want to know')
    .option('--profile <name>', 'how much is enough: low, mid (the usual), high or ultra')
    .option('--continue <job>', 'go on with a job that was stopped: its id, or that of one of its tasks')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON object per event and line, the result last')
    .action((question: string | undefined, options: ResearchCommandOptions) =>
      register(async () => (await import('../commands/research.ts')).research(screen, question, options)),
    );
}
