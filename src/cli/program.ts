import { Command, CommanderError } from 'commander';
import { action } from '../kernel/action.ts';
import { packageVersion } from '../project/package-root.ts';
import { actionLine } from './action-line.ts';
import { type Cli, createCli } from './cli.ts';
import { declareAgents } from './commands/agents/agents.ts';
import { declareAnswer } from './commands/agents/answer.ts';
import { declareAttach } from './commands/agents/attach.ts';
import { declareDoctor } from './commands/agents/doctor.ts';
import { declareEndTask } from './commands/agents/end-task.ts';
import { declareLogs } from './commands/agents/logs.ts';
import { declareBoard } from './commands/backlog/board.ts';
import { declareJudge } from './commands/backlog/judge.ts';
import { declareResearch } from './commands/backlog/research.ts';
import { declareRestore } from './commands/backlog/restore.ts';
import { declareRuntimes } from './commands/backlog/runtimes.ts';
import { declareTask } from './commands/backlog/task/task.ts';
import { declareWork } from './commands/backlog/work.ts';
import { declareAccept } from './commands/files/accept.ts';
import { declareConflicts } from './commands/files/conflicts.ts';
import { declareDiff } from './commands/files/diff.ts';
import { declareDiscard } from './commands/files/discard.ts';
import { declareFork } from './commands/files/fork.ts';
import { declareHold } from './commands/files/hold.ts';
import { declareKeep } from './commands/files/keep.ts';
import { declareRewind } from './commands/files/rewind.ts';
import { declareTimeline } from './commands/files/timeline.ts';
import { declareUndo } from './commands/files/undo.ts';
import { declareUnhold } from './commands/files/unhold.ts';
import { declareWorktrees } from './commands/files/worktrees.ts';
import { declareRunExperiment } from './commands/server/run-experiment.ts';
import { declareUi } from './commands/server/ui.ts';
import { declareAbort } from './commands/session/abort.ts';
import { declareClean } from './commands/session/clean.ts';
import { declareContinue } from './commands/session/continue.ts';
import { declareInterrupt } from './commands/session/interrupt.ts';
import { declarePs } from './commands/session/ps.ts';
import { declareSessions } from './commands/session/sessions.ts';
import { declareShow } from './commands/session/show.ts';
import { declareWatch } from './commands/session/watch.ts';
import { declareBudget } from './commands/work/budget.ts';
import { declareConfig } from './commands/work/config.ts';
import { declareDemo } from './commands/work/demo.ts';
import { declareInit } from './commands/work/init.ts';
import { declarePipeline } from './commands/work/pipeline.ts';
import { declareRun } from './commands/work/run.ts';
import { declareTrust } from './commands/work/trust.ts';
import { declareGraph } from './commands/workflow/graph.ts';
import { declareSimulate } from './commands/workflow/simulate.ts';
import { declareValidate } from './commands/workflow/validate.ts';
import { pasteable, problemJson, reportError } from './errors.ts';
import type { Screen } from './output.ts';
import { withShortIds } from './short-screen.ts';
import { refuseStandIns } from './stand-ins.ts';

type Declare = (program: Command, cli: Cli) => void;

/** Every command, under the heading that the help shows it with. */
const GROUPS: readonly (readonly [string, readonly Declare[]])[] = [
  [
    'Work:',
    [
      declareDemo,
      declareInit,
      declareTrust,
      declareConfig,
      declareBudget,
      declareRun,
      declarePipeline,
      declareUi,
    ],
  ],
  [
    'Backlog:',
    [declareTask, declareBoard, declareWork, declareRuntimes, declareJudge, declareRestore, declareResearch],
  ],
  ['Workflows:', [declareValidate, declareGraph, declareSimulate]],
  [
    'Sessions:',
    [
      declareSessions,
      declarePs,
      declareShow,
      declareWatch,
      declareContinue,
      declareInterrupt,
      declareAbort,
      declareClean,
    ],
  ],
  ['Agents:', [declareAgents, declareDoctor, declareLogs, declareAttach, declareAnswer, declareEndTask]],
  [
    'Files:',
    [
      declareDiff,
      declareTimeline,
      declareFork,
      declareRewind,
      declareAccept,
      declareUndo,
      declareKeep,
      declareDiscard,
      declareHold,
      declareUnhold,
      declareConflicts,
      declareWorktrees,
    ],
  ],
];

const EXAMPLES = `
Examples:
  loopwright demo                          see it correct itself, offline, in a few seconds
  loopwright init                          find out how this project is tested
  loopwright run "fix the failing tests"   run the test-fix workflow here

Exit codes: 0 completed, 2 halted or parked, 1 error, 130 or 143 interrupted.`;

/** Runs one command line and gives its exit code. */
export async function runProgram(argv: readonly string[], whole: Screen): Promise<number> {
  let code = 0;
  const screen = withShortIds(whole);
  const cli = createCli(screen, (finished) => {
    code = finished;
  });
  const program = createProgram(cli);
  try {
    if (argv.length === 0) program.help();
    await program.parseAsync(argv, { from: 'user' });
    return screen.failure === undefined ? code : 1;
  } catch (error) {
    // A program that asked for JSON reads standard output: what went wrong is there too, as data.
    if (argv.includes('--json') && !(error instanceof CommanderError))
      cli.json({ error: problemJson(error) });
    return reportError(screen, error);
  }
}

function createProgram(cli: Cli): Command {
  const program = new Command('loopwright')
    .description('Drives AI coding agents through a declared graph of blocks and checks every result.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', EXAMPLES);
  speakPlainly(program, cli.screen);
  program.hook('preAction', (_program, command) => refuseStandIns(command));
  for (const [heading, commands] of GROUPS) {
    program.commandsGroup(heading);
    for (const declare of commands) declare(program, cli);
  }
  declareRunExperiment(program, cli);
  pointToOwnHelp(program, cli.screen);
  return program;
}

/** What is wrong with a command is explained by the help of that command. */
function pointToOwnHelp(command: Command, screen: Screen, above: readonly string[] = []): void {
  for (const each of command.commands) {
    const words = [...above, each.name()];
    each.configureOutput({ outputError: (text) => sayMistake(screen, text, words.join(' ')) });
    pointToOwnHelp(each, screen, words);
  }
}

function sayMistake(screen: Screen, text: string, command?: string): void {
  const { red, cyan } = screen.errorStyle;
  const [message = '', hint = ''] = text
    .trim()
    .replace(/^error: /, '')
    .split('\n');
  const said = hint === '' ? message : `${message} ${hint.replace(/^\((.*)\)$/, '$1')}`;
  const help = action('command.help', 'See', command === undefined ? {} : { command });
  screen.error(`${red('error:')} ${said}`);
  screen.error(`${cyan('next:')} ${actionLine(help, pasteable)}`);
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
      outputError: (text) => sayMistake(screen, text),
    });
}
