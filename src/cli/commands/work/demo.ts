import type { Command } from 'commander';
import { shellWord } from '../../../kernel/shell-word.ts';
import { indent } from '../../../kernel/words.ts';
import type { Project } from '../../../project/project.ts';
import type { Cli, ProjectOptions } from '../../cli.ts';
import { withResultLine } from '../../errors.ts';
import { followRun } from '../../follow-run.ts';

interface DemoOptions extends ProjectOptions {
  readonly halt?: true;
  readonly keep?: true;
  readonly ui?: true;
  readonly open: boolean;
}

export function declareDemo(program: Command, cli: Cli): void {
  program
    .command('demo')
    .description('watch the test-fix cycle correct itself: offline, without a key, in a few seconds')
    .option('--halt', 'an agent that never gets it right: see a halt, and how to continue from it')
    .option('--keep', 'make the project in ./loopwright-demo instead of a temporary folder')
    .option('--ui', 'watch it in the dashboard, which stays until you press Ctrl-C')
    .option('--no-open', 'with --ui: print the address and open no browser')
    .option('--json', 'one JSON object per line')
    .action(cli.action((options: DemoOptions) => withResultLine(cli, options, () => demo(cli, options))));
}

/** The shipped test-fix workflow on a small repository of its own, with an agent that needs no model. */
async function demo(cli: Cli, options: DemoOptions): Promise<number> {
  const { dim } = cli.screen.style;
  const { makeDemoProject } = await import('../../../project/runs/demo-project.ts');
  const dir = await makeDemoProject({
    keep: options.keep ?? false,
    cwd: process.cwd(),
    stubborn: options.halt ?? false,
  });
  const project = await cli.open({ dir });
  // All of it was written a moment ago, by us.
  await project.trust();
  const followed = () => follow(cli, project, options);
  if (!options.ui) return followed();
  const { stopped, withDashboard } = await import('../server/ui.ts');
  return withDashboard(cli, project, options, async () => {
    const code = await followed();
    cli.screen.line(dim('The dashboard stays. Ctrl-C ends it.'));
    return code === 0 || options.halt ? stopped(cli) : code;
  });
}

async function follow(cli: Cli, project: Project, options: DemoOptions): Promise<number> {
  const { screen } = cli;
  const { bold, dim, cyan } = screen.style;
  const { demoDiff, GOAL } = await import('../../../project/runs/demo-project.ts');
  const { dir } = project;
  return followRun(
    cli,
    {
      project,
      json: options.json ?? false,
      wait: true,
      announce: (display, run) => {
        display.line(bold('A repository with a failing test, and an agent whose first attempt is wrong.'));
        display.line(dim(`${dir}   session ${run.id}`));
        display.line(
          dim(
            'The agent plays a script: no model, no key, no network. Its process, the tests and the files are real.',
          ),
        );
        display.line();
      },
      completed: async () => {
        const diff = await demoDiff(dir, { color: screen.color });
        screen.line();
        screen.line(bold('What changed'));
        screen.line(indent(diff.trimEnd()));
        screen.line();
        screen.line(`${cyan('look:')} cd ${shellWord(dir)} && git diff && node --test`);
      },
      guidance: 'take the accents off, then trim the dashes',
    },
    (company) => project.run(GOAL, { ...company, workflow: 'test-fix', inPlace: true }),
  );
}
