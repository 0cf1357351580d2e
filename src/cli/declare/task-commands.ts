import { type Command, Option } from 'commander';
import type { TaskCommandOptions } from '../../project/backlog/open-backlog.ts';
import type { AddOptions } from '../commands/task/add.ts';
import type { EditOptions, ReasonOptions } from '../commands/task/change.ts';
import type { ImportOptions } from '../commands/task/import.ts';
import type { ListOptions } from '../commands/task/list.ts';
import type { Screen } from '../output.ts';
import type { Register } from '../program.ts';
import { budgetOption } from './work-commands.ts';

const TASK = 'its id; the first or last four characters are enough when only one fits';
const DIR = ['--dir <path>', 'the project'] as const;
const JSON_DOCUMENT = ['--json', 'one JSON document'] as const;

/** The commands about the backlog. */
export function declareTaskCommands(program: Command, screen: Screen, register: Register): void {
  program.commandsGroup('Backlog:');
  const task = program.command('task').description('the backlog: add, import, list, show and change tasks');
  declareAdding(task, screen, register);
  declareLooking(task, screen, register);
  declareChanging(task, screen, register);
  program
    .command('board')
    .description('the backlog as columns, one per state')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((options: TaskCommandOptions) =>
      register(async () => (await import('../commands/board.ts')).board(screen, options)),
    );
}

function declareAdding(task: Command, screen: Screen, register: Register): void {
  const adding = task.command('add').description('add a task').argument('<title>', 'what is to be done');
  withDraftOptions(adding)
    .option('--needs <task...>', 'tasks that must be done before')
    .action((title: string, options: AddOptions) =>
      register(async () => (await import('../commands/task/add.ts')).addTask(screen, title, options)),
    );
  task
    .command('import')
    .description(
      'add the tasks of a Markdown checklist, a JSON file or GitHub issues; what is known already is left alone',
    )
    .argument('[file]', 'a .md or .json file')
    .option('--github', 'the open issues of REPO_URL instead of a file')
    .option('--label <name...>', 'with --github: only issues that have all of these labels')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((file: string | undefined, options: ImportOptions) =>
      register(async () => (await import('../commands/task/import.ts')).importTasks(screen, file, options)),
    );
}

function declareLooking(task: Command, screen: Screen, register: Register): void {
  task
    .command('list')
    .description('list the tasks that are open, in the order of the line')
    .option('--state <state...>', 'only these: queued, running, blocked, failed, done, cancelled')
    .option('--role <role>', 'only those of worker, tester or docser')
    .option('--all', 'all of them, also those that are over')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((options: ListOptions) =>
      register(async () => (await import('../commands/task/list.ts')).listTasks(screen, options)),
    );
  task
    .command('show')
    .description('show a task: what was asked, its state and why, its runs, what they produced')
    .argument('<task>', TASK)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string, options: TaskCommandOptions) =>
      register(async () => (await import('../commands/task/show.ts')).showTask(screen, id, options)),
    );
}

function declareChanging(task: Command, screen: Screen, register: Register): void {
  const editing = task
    .command('edit')
    .description('change a task that does not run')
    .argument('<task>', TASK);
  withDraftOptions(editing)
    .option('--title <text>', 'what is to be done')
    .option('--needs <task...>', 'tasks that must be done before, in place of those it has')
    .option('--no-needs', 'no other task must be done before')
    .action((id: string, options: EditOptions) =>
      register(async () => (await import('../commands/task/change.ts')).editTask(screen, id, options)),
    );
  task
    .command('cancel')
    .description('take a task out of the line; one that runs is stopped')
    .argument('<task>', TASK)
    .option('--reason <text>', 'why, for whoever looks at it later')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string, options: ReasonOptions) =>
      register(async () => (await import('../commands/task/change.ts')).cancelTask(screen, id, options)),
    );
  task
    .command('requeue')
    .description('put a failed, blocked or cancelled task back in line')
    .argument('<task>', TASK)
    .option('--reason <text>', 'why, for whoever looks at it later')
    .option('--notes <text>', 'what the next attempt should know')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string, options: ReasonOptions) =>
      register(async () => (await import('../commands/task/change.ts')).requeueTask(screen, id, options)),
    );
  task
    .command('rm')
    .description('delete a task with its runs and events')
    .argument('<task>', TASK)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string, options: TaskCommandOptions) =>
      register(async () => (await import('../commands/task/change.ts')).removeTask(screen, id, options)),
    );
}

/** What `add` and `edit` have in common. */
function withDraftOptions(command: Command): Command {
  return command
    .option('--goal <text>', 'what is to be reached, in more words than the title')
    .option('--kind <kind>', 'code or research')
    .option('--role <role>', 'who does it: worker, tester or docser')
    .option('--mode <mode>', 'github, local-git or direct; the configured one otherwise')
    .option(
      '--allow <path...>',
      'what it may change: files, folders or globs; others with the same wait for it',
    )
    .option('--deny <path...>', 'what it must not change; wins over --allow')
    .option('--expect <file...>', 'files that must exist afterwards')
    .option('--command <line...>', 'commands that must pass')
    .option('--priority <n>', 'the lower number goes first; 100 otherwise')
    .option('--timebox <minutes>', 'how long an attempt may take')
    .option('--agent <name...>', 'the agents to use, in this order; the configured one otherwise')
    .addOption(budgetOption())
    .addOption(new Option('--context <json>', 'more for the worker, as a JSON object'))
    .option('--notes <text>', 'what the next attempt should know')
    .option(...DIR)
    .option(...JSON_DOCUMENT);
}
