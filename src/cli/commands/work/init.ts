import { relative } from 'node:path';
import type { Command } from 'commander';
import { shellWord } from '../../../kernel/shell-word.ts';
import type { Project } from '../../../project/project.ts';
import { askQuestion, confirm } from '../../ask.ts';
import { type Cli, commandFor, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { table } from '../../display/table.ts';
import type { Screen } from '../../output.ts';

interface InitOptions extends ProjectOptions {
  readonly yes?: true;
  readonly force?: true;
  readonly agent?: string;
}

type Detected = Awaited<ReturnType<Project['detect']>>;

const KINDS = ['test', 'lint', 'build'] as const;

export function declareInit(program: Command, cli: Cli): void {
  program
    .command('init')
    .description('find the test, lint and build commands of this project and write .loopwright/config.json')
    .option('-y, --yes', 'do not ask')
    .option('--agent <name>', 'the agent that does the work; asked for on a terminal')
    .option('--force', 'write the commands of an existing configuration again')
    .option('--dir <path>', 'the project', '.')
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: InitOptions) => init(cli, options)));
}

/** Finds out how the project is checked, and writes it down where a person can correct it. */
async function init(cli: Cli, options: InitOptions): Promise<void> {
  const { screen } = cli;
  const { force = false } = options;
  const project = await cli.open(options);
  const detected = await project.detect();
  if (!options.json) print(screen, project, detected);
  const asks = screen.interactive && !options.yes && !options.json && (!detected.exists || force);
  if (asks && !(await confirm(`Write ${relative(process.cwd(), detected.file) || detected.file}?`))) {
    screen.line('Nothing was written.');
    return cli.next(project, 'init', '--yes');
  }
  const done = await project.init({ force });
  const agent = options.agent ?? (asks ? await askForAgent(screen, project) : undefined);
  if (agent !== undefined) await project.chooseAgent(agent);
  if (options.json) return cli.json(done);
  screen.line(`Wrote ${done.file}`);
  if (done.excluded === 'added')
    screen.line(screen.style.dim("It is kept out of git by the repository's own .git/info/exclude."));
  if (!done.found.test) screen.line('Without a test command nothing can be proven: set commands.test in it.');
  const { cyan } = screen.style;
  screen.line(
    agent === undefined
      ? `${cyan('next:')} start it with the agent of your choice; \`${commandFor(project, 'agents')}\` lists them`
      : `${cyan('next:')} ${agent} does the work`,
  );
  const choice = agent === undefined ? ['--agent', '<name>'] : [];
  return screen.line(`  ${commandFor(project, 'run', 'fix the failing tests', ...choice)}`);
}

/** What a new worktree begins with. */
function worktreeWords(worktrees: NonNullable<Detected['worktrees']>): string {
  if ('share' in worktrees) return `share ${worktrees.share.join(', ')}`;
  return worktrees.setup.map((line) => line.map(shellWord).join(' ')).join('; ');
}

/** From those that are here; nothing is written down without an answer. */
async function askForAgent(screen: Screen, project: Project): Promise<string | undefined> {
  const choices = await project.agentChoices();
  if (!choices || choices.length === 0) return undefined;
  const question = { question: 'Which agent does the work?', choices };
  return askQuestion(screen, question, new AbortController().signal);
}

function print(screen: Screen, project: Project, { found, worktrees }: Detected): void {
  const { yellow } = screen.style;
  screen.line(`Commands of ${project.dir}`);
  const rows = KINDS.map((kind) => {
    const hit = found[kind];
    if (!hit) return [kind, { text: 'not found', paint: yellow }, ''];
    return [kind, hit.command.map(shellWord).join(' '), `from ${hit.from}`];
  });
  if (worktrees) rows.push(['worktrees', worktreeWords(worktrees), `from ${worktrees.from}`]);
  const view = { style: screen.style, width: screen.width - 2 };
  for (const line of table(['', 'command', ''], rows, view).slice(1)) screen.line(`  ${line}`);
}
