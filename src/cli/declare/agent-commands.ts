import type { Command } from 'commander';
import type { ReachOptions } from '../../project/sessions/reach.ts';
import type { AgentsOptions } from '../commands/agents.ts';
import type { LogsOptions } from '../commands/logs.ts';
import type { Screen } from '../output.ts';
import type { Register } from '../program.ts';
import { SESSION } from './session-commands.ts';

const TASK = 'the task; not needed while only one runs';

/** The commands about agents: those on this machine, and those that run. */
export function declareAgentCommands(program: Command, screen: Screen, register: Register): void {
  program.commandsGroup('Agents:');
  for (const [name, description] of [
    ['agents', 'list the agents: what is installed, which version, logged in or not, which modes work'],
    ['doctor', 'check what this project needs, and say how to get what is missing'],
  ] as const) {
    program
      .command(name)
      .description(description)
      .option('--dir <path>', 'the project')
      .option('--json', 'one JSON document')
      .action((options: AgentsOptions) =>
        register(async () => (await import('../commands/agents.ts'))[name](screen, options)),
      );
  }

  program
    .command('logs')
    .description('print what the agents and commands of a session printed')
    .argument('[session]', SESSION)
    .option('-f, --follow', 'stay, and print what comes until the session stops')
    .option('--task <id>', 'only this task')
    .option('--raw', 'with colours and cursor movements, as it was printed')
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON object per piece and line')
    .action((id: string | undefined, options: LogsOptions) =>
      register(async () => (await import('../commands/logs.ts')).logs(screen, id, options)),
    );

  program
    .command('attach')
    .description('the live terminal of a running agent: see it, type into it, leave it running with Ctrl-]')
    .argument('[session]', SESSION)
    .option('--task <id>', TASK)
    .option('--dir <path>', 'the project')
    .option('--json', 'its output as one JSON object per piece and line; nothing can be typed')
    .action((id: string | undefined, options: ReachOptions) =>
      register(async () => (await import('../commands/attach.ts')).attach(screen, id, options)),
    );

  program
    .command('answer')
    .description('answer what an agent asks, or the question a session halted on')
    .argument('<session>', SESSION)
    .argument('<text>', 'the answer, or the number of a choice')
    .option('--task <id>', TASK)
    .option('--dir <path>', 'the project')
    .option('--json', 'one JSON document')
    .action((id: string, text: string, options: ReachOptions) =>
      register(async () => (await import('../commands/tasks.ts')).answer(screen, id, text, options)),
    );

  for (const [how, description] of [
    ['complete', 'call an interactive task done: its agent is ended, and the next stage may begin'],
    ['stop', 'end a running task; it counts as not done'],
  ] as const) {
    program
      .command(how)
      .description(description)
      .argument('[session]', SESSION)
      .option('--task <id>', TASK)
      .option('--dir <path>', 'the project')
      .option('--json', 'one JSON document')
      .action((id: string | undefined, options: ReachOptions) =>
        register(async () => (await import('../commands/tasks.ts')).endTask(screen, how, id, options)),
      );
  }
}
