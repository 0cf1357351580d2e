import type { Command } from 'commander';
import type { ConflictsOptions } from '../commands/conflicts.ts';
import type { DeliverOptions } from '../commands/deliver.ts';
import type { DiffOptions } from '../commands/diff.ts';
import type { DiscardOptions } from '../commands/discard.ts';
import type { ForkOptions } from '../commands/fork.ts';
import type { HoldOptions } from '../commands/hold.ts';
import type { RewindOptions } from '../commands/rewind.ts';
import type { TimelineOptions } from '../commands/timeline.ts';
import type { WorktreesOptions } from '../commands/worktrees.ts';
import type { Screen } from '../output.ts';
import type { Register } from '../program.ts';
import { SESSION } from './session-commands.ts';

const DIR = ['--dir <path>', 'the project'] as const;
const JSON_DOCUMENT = ['--json', 'one JSON document'] as const;

/** The commands about the files of a session: what it changed, going back, and what becomes of it. */
export function declareFileCommands(program: Command, screen: Screen, register: Register): void {
  program.commandsGroup('Files:');
  declareLooking(program, screen, register);
  declareGoingBack(program, screen, register);
  declareDelivery(program, screen, register);
  declareUpkeep(program, screen, register);
}

function declareLooking(program: Command, screen: Screen, register: Register): void {
  program
    .command('diff')
    .description('show what a session changed')
    .argument('[session]', SESSION)
    .option('--step <n>', 'only what one step changed')
    .option('--from <n>', 'from the end of this step')
    .option('--to <n>', 'to the end of this step')
    .option('--stat', 'only the files, not their content')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string | undefined, options: DiffOptions) =>
      register(async () => (await import('../commands/diff.ts')).diff(screen, id, options)),
    );
  program
    .command('timeline')
    .description('show the steps of a session and which of them changed files')
    .argument('[session]', SESSION)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string | undefined, options: TimelineOptions) =>
      register(async () => (await import('../commands/timeline.ts')).timeline(screen, id, options)),
    );
}

function declareGoingBack(program: Command, screen: Screen, register: Register): void {
  program
    .command('fork')
    .description('start a new session from where another one was after a step, in its own worktree')
    .argument('[session]', SESSION)
    .requiredOption('--at <n>', 'the step; 0 is the beginning')
    .option('-g, --guidance <text>', 'what the next worker should know')
    .option('--no-run', 'only make it; `resume` starts it')
    .option(
      '--no-wait',
      'end instead of waiting for other sessions, or for the time a session is parked until',
    )
    .option(...DIR)
    .option('--json', 'one JSON object per event and line, the result last')
    .action((id: string | undefined, options: ForkOptions) =>
      register(async () => (await import('../commands/fork.ts')).fork(screen, id, options)),
    );
  program
    .command('rewind')
    .description('take a session and its files back to the end of a step')
    .argument('[session]', SESSION)
    .requiredOption('--to <n>', 'the step; 0 is the beginning')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string | undefined, options: RewindOptions) =>
      register(async () => (await import('../commands/rewind.ts')).rewind(screen, id, options)),
    );
}

function declareDelivery(program: Command, screen: Screen, register: Register): void {
  program
    .command('accept')
    .description('bring the work of a session into the branch it started from')
    .argument('[session]', SESSION)
    .option('--merge', 'as a merge that keeps its commits, instead of one commit')
    .option('--into <branch>', 'another branch than the one it started from')
    .option('-m, --message <text>', 'the commit message; otherwise the goal and what was checked')
    .option('--unproven', 'although the session has not completed')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string | undefined, options: DeliverOptions) =>
      register(async () => (await import('../commands/deliver.ts')).accept(screen, id, options)),
    );
  program
    .command('keep')
    .description('leave the work of a session on its own branch, committed')
    .argument('[session]', SESSION)
    .option('-m, --message <text>', 'the commit message')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string | undefined, options: DeliverOptions) =>
      register(async () => (await import('../commands/deliver.ts')).keep(screen, id, options)),
    );
  program
    .command('discard')
    .description('delete the worktree, branch and checkpoints of a session')
    .argument('[session]', SESSION)
    .option('-y, --yes', 'do not ask')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string | undefined, options: DiscardOptions) =>
      register(async () => (await import('../commands/discard.ts')).discard(screen, id, options)),
    );
}

function declareUpkeep(program: Command, screen: Screen, register: Register): void {
  program
    .command('hold')
    .description('put a session aside as one ref, which can be pushed and taken up on another clone')
    .argument('[session]', SESSION)
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string | undefined, options: HoldOptions) =>
      register(async () => (await import('../commands/hold.ts')).hold(screen, id, options)),
    );
  program
    .command('unhold')
    .description('make a held session, fetched from another clone, a session here')
    .argument('<session>', 'its whole id')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((id: string, options: HoldOptions) =>
      register(async () => (await import('../commands/hold.ts')).unhold(screen, id, options)),
    );
  program
    .command('conflicts')
    .description('show which sessions mean to change the same files')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((options: ConflictsOptions) =>
      register(async () => (await import('../commands/conflicts.ts')).conflicts(screen, options)),
    );
  declareWorktrees(program, screen, register);
}

function declareWorktrees(program: Command, screen: Screen, register: Register): void {
  const worktrees = program
    .command('worktrees')
    .description('list the worktrees of sessions, or remove those nobody needs');
  worktrees
    .command('list', { isDefault: true })
    .description('show age, size and state of each')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((options: WorktreesOptions) =>
      register(async () => (await import('../commands/worktrees.ts')).listWorktrees(screen, options)),
    );
  worktrees
    .command('gc')
    .description('remove those of ended sessions; never uncommitted or unmerged work')
    .option('--dry-run', 'only show what would be removed')
    .option(
      '--force',
      'also uncommitted or unmerged work of ended sessions; says where the last checkpoint is',
    )
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action((options: WorktreesOptions) =>
      register(async () => (await import('../commands/worktrees.ts')).gcWorktrees(screen, options)),
    );
}
