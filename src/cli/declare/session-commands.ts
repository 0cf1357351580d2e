import type { Command } from 'commander';
import type { AbortOptions } from '../commands/abort.ts';
import type { CleanOptions } from '../commands/clean.ts';
import type { ContinueCommandOptions } from '../commands/continue.ts';
import type { PsOptions } from '../commands/ps.ts';
import type { SessionsOptions } from '../commands/sessions.ts';
import type { ShowOptions } from '../commands/show.ts';
import type { Screen } from '../output.ts';
import type { Register } from '../program.ts';
import { withResultLine } from '../result-line.ts';
import { budgetOption } from './work-commands.ts';

export const SESSION = 'its id; the first or last four characters are enough when only one fits';

/** The commands that work on sessions which exist. */
export function declareSessionCommands(program: Command, screen: Screen, register: Register): void {
  program.commandsGroup('Sessions:');
  program
    .command('sessions')
    .description('list the sessions of this project')
    .option('--all', 'all of them, not only the newest')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((options: SessionsOptions) =>
      register(async () => (await import('../commands/sessions.ts')).sessions(screen, options)),
    );

  program
    .command('ps')
    .description('list what runs now, and what died while it ran')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((options: PsOptions) =>
      register(async () => (await import('../commands/ps.ts')).ps(screen, options)),
    );

  program
    .command('show')
    .description('show a session: where it stands, the way it took, and what to do next')
    .argument('[session]', SESSION)
    .option('--step <n>', 'what went into one step and what came out')
    .option('--log', 'the full output of the processes it ran')
    .option('--payload', 'the whole history of segments')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((id: string | undefined, options: ShowOptions) =>
      register(async () => (await import('../commands/show.ts')).show(screen, id, options)),
    );

  declareContinuing(program, screen, register);

  program
    .command('abort')
    .description('end a session for good, whoever runs it')
    .argument('[session]', SESSION)
    .option('--reason <text>', 'why, for whoever looks at it later')
    .option('-g, --guidance <text>', 'what somebody who takes it up again should know')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((id: string | undefined, options: AbortOptions) =>
      register(async () => (await import('../commands/abort.ts')).abort(screen, id, options)),
    );

  program
    .command('clean')
    .description('delete sessions that have ended')
    .argument('[session...]', 'only these')
    .option('--older-than <age>', 'only those that ended longer ago, such as 7d or 12h')
    .option('--dry-run', 'only show what would be deleted')
    .option('-y, --yes', 'do not ask')
    .option('--force', 'also sessions named here that could still be continued')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((ids: string[], options: CleanOptions) =>
      register(async () => (await import('../commands/clean.ts')).clean(screen, ids, options)),
    );
}

const CONTINUING = {
  resume: 'go on after a halt, a park or the death of the process',
  retry: 'run the block that halted or failed once more',
  step: 'run exactly one block, then halt again',
} as const;

function declareContinuing(program: Command, screen: Screen, register: Register): void {
  for (const how of ['resume', 'retry', 'step'] as const) {
    program
      .command(how)
      .description(CONTINUING[how])
      .argument('[session]', SESSION)
      .option('-g, --guidance <text>', 'what the next worker should know')
      .option('-a, --answer <text>', 'the answer to the question it halted on')
      .addOption(budgetOption())
      .option('--take-over', 'take the session even from a process that still runs it')
      .option('--dir <path>', 'the project')
      .option('--no-wait', 'end when the session parks, instead of waiting for its time')
      .option('--json', 'one JSON object per event and line, the result last')
      .action((id: string | undefined, options: ContinueCommandOptions) =>
        register(() =>
          withResultLine(screen, options.json, async () =>
            (await import('../commands/continue.ts')).continueSession(screen, how, id, options),
          ),
        ),
      );
  }
}
