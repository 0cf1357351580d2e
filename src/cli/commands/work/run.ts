import { type Command, Option } from 'commander';
import { TESTS_MAY_CHANGE } from '../../../kernel/runtime-words.ts';
import { count, oneLine } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import type { RunningSession } from '../../../project/runs/handle.ts';
import type { RunRequest } from '../../../project/runs/start.ts';
import { ATTENDED, type Cli, JSON_LINES } from '../../cli.ts';
import type { Display } from '../../display/display.ts';
import { withResultLine } from '../../errors.ts';
import { followRun } from '../../follow-run.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';
import { budgetOption, parseBudget, parseInputs, parsePriority } from '../../option-values.ts';

export interface RunOptions extends TrustOptions {
  readonly workflow?: string;
  readonly start?: string;
  readonly agent?: string;
  readonly step?: true;
  readonly input?: readonly string[];
  readonly budget?: string;
  readonly inPlace?: true;
  readonly includeDirty?: true;
  readonly base?: string;
  readonly plan?: readonly string[];
  readonly priority?: string;
  readonly tests?: typeof TESTS_MAY_CHANGE;
  readonly baseline: boolean;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly wait: boolean;
  readonly attended?: true;
}

export function declareRun(program: Command, cli: Cli): void {
  const running = program
    .command('run')
    .description('run a workflow towards a goal')
    .argument('<goal>', 'what is to be reached, in your words')
    .option('-w, --workflow <file>', 'a manifest, or the name of a shipped one')
    .option('--start <node>', 'the node to start in; the first one of the manifest otherwise');
  withRunOptions(running).action(
    cli.action((goal: string, options: RunOptions) =>
      withResultLine(cli, options, () =>
        start(cli, options, (project, request) => project.run(goal, request)),
      ),
    ),
  );
}

/** What `run` and `pipeline` have in common. */
export function withRunOptions(command: Command): Command {
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
      'what it means to change: files, folders or globs; it waits for others with the same, and may change more',
    )
    .option(
      '--allow <path...>',
      'what it may change: files, folders or globs; anything else halts it. An exact path also opens a protected file',
    )
    .option('--deny <path...>', 'what it must not change, whatever is allowed')
    .option('--priority <n>', 'who goes first among those that wait: the lower number')
    .addOption(
      new Option('--tests <rule>', 'the goal is about tests: changed and removed ones are only told').choices(
        [TESTS_MAY_CHANGE],
      ),
    )
    .option('--no-baseline', 'do not run the checks once on the untouched files first')
    .option('--dir <path>', 'the project to work in')
    .option(...TRUST)
    .option(
      '--no-wait',
      'end instead of waiting for other sessions, or for the time a session is parked until',
    )
    .option(...ATTENDED)
    .option(...JSON_LINES);
}

/** Starts a session of this kind and shows it. */
export async function start(
  cli: Cli,
  options: RunOptions,
  begin: (project: Project, request: RunRequest) => Promise<RunningSession>,
): Promise<number> {
  const { screen } = cli;
  const request = requestOf(options);
  const project = await openTrusted(cli, options);
  const json = options.json ?? false;
  return followRun(
    cli,
    {
      project,
      json,
      wait: options.wait,
      attended: options.attended ?? false,
      announce: (display, run) => announce(cli, project, display, run),
    },
    (company) =>
      begin(project, {
        ...request,
        ...company,
        onWarning: (what) => screen.error(screen.errorStyle.yellow(`! ${what}`)),
        onPreparing: (what) => {
          if (!json) screen.line(screen.style.dim(`${what}...`));
        },
      }),
  );
}

function announce({ screen }: Cli, project: Project, display: Display, run: RunningSession): void {
  const { bold, dim, yellow } = screen.style;
  display.line(`${bold(oneLine(run.goal))}  ${dim(`${run.workflow}, in ${project.dir}`)}`);
  display.line(dim(`session ${run.id}`));
  for (const note of run.notes) display.line(dim(note));
  if (run.leftOut > 0) {
    const what = `${count(run.leftOut, 'uncommitted file')} of ${project.dir}`;
    display.line(dim(`${what} not included; --include-dirty copies ${run.leftOut === 1 ? 'it' : 'them'} in`));
  }
  for (const warning of run.warnings) display.line(yellow(`! ${warning}`));
}

function requestOf(options: RunOptions): RunRequest {
  const { workflow, start: node, agent, budget, includeDirty, base, plan, priority, tests } = options;
  return {
    stepping: options.step ?? false,
    inputs: parseInputs(options.input ?? []),
    inPlace: options.inPlace ?? false,
    noWait: !options.wait,
    noBaseline: !options.baseline,
    ...(workflow === undefined ? {} : { workflow }),
    ...(node === undefined ? {} : { start: node }),
    ...(agent === undefined ? {} : { agent }),
    ...(budget === undefined ? {} : { budget: parseBudget(budget) }),
    ...(includeDirty === undefined ? {} : { includeDirty }),
    ...(base === undefined ? {} : { base }),
    ...(plan === undefined ? {} : { plan }),
    ...(tests === undefined ? {} : { tests }),
    ...(options.allow === undefined ? {} : { allow: options.allow }),
    ...(options.deny === undefined ? {} : { deny: options.deny }),
    ...(priority === undefined ? {} : { priority: parsePriority(priority) }),
  };
}
