import { Command, CommanderError } from 'commander';
import { packageVersion } from '../project/package-root.ts';
import { declareAgentCommands } from './declare/agent-commands.ts';
import { declareFileCommands } from './declare/file-commands.ts';
import { declareRuntimeCommands } from './declare/runtime-commands.ts';
import { declareSessionCommands } from './declare/session-commands.ts';
import { declareTaskCommands } from './declare/task-commands.ts';
import { declareWorkCommands } from './declare/work-commands.ts';
import { declareWorkflowCommands } from './declare/workflow-commands.ts';
import { reportError } from './errors.ts';
import type { Screen } from './output.ts';
import { withOurCommands } from './self.ts';

/** A command's code is loaded only when that command is called, so `--help` stays fast. */
export type Register = (action: () => Promise<number>) => Promise<void>;

const EXAMPLES = `
Examples:
  loopwright demo                          see it correct itself, offline, in a few seconds
  loopwright init                          find out how this project is tested
  loopwright run "fix the failing tests"   run the test-fix workflow here

Exit codes: 0 completed, 2 halted or parked, 1 error, 130 or 143 interrupted.`;

/** Runs one command line and gives its exit code. */
export async function runProgram(argv: readonly string[], screen: Screen): Promise<number> {
  let code = 0;
  const register: Register = async (action) => {
    code = await action();
  };
  const program = createProgram(screen, register);
  try {
    if (argv.length === 0) program.help();
    await program.parseAsync(argv, { from: 'user' });
    return screen.failure === undefined ? code : 1;
  } catch (error) {
    return reportError(screen, error);
  }
}

function createProgram(screen: Screen, register: Register): Command {
  const program = new Command('loopwright')
    .description('Drives AI coding agents through a declared graph of blocks and checks every result.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', EXAMPLES);
  speakPlainly(program, screen);
  declareWorkCommands(program, screen, register);
  declareTaskCommands(program, screen, register);
  declareRuntimeCommands(program, screen, register);
  declareWorkflowCommands(program, screen, register);
  declareSessionCommands(program, screen, register);
  declareAgentCommands(program, screen, register);
  declareFileCommands(program, screen, register);
  return program;
}

/** Subcommands inherit these settings only when they are made before the subcommands are. */
function speakPlainly(program: Command, screen: Screen): void {
  program
    .exitOverride((error: CommanderError) => {
      throw error;
    })
    .configureOutput({
      writeOut: (text) => screen.line(text.trimEnd()),
      writeErr: (text) => screen.error(text.trimEnd()),
      outputError: (text) => {
        const { red, cyan } = screen.errorStyle;
        const [message = '', hint = ''] = text
          .trim()
          .replace(/^error: /, '')
          .split('\n');
        const said = hint === '' ? message : `${message} ${hint.replace(/^\((.*)\)$/, '$1')}`;
        screen.error(`${red('error:')} ${said}`);
        screen.error(`${cyan('next:')} ${withOurCommands('See `loopwright --help`.')}`);
      },
    });
}
