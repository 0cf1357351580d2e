import type { Command } from 'commander';
import { count } from '../../../kernel/words.ts';
import { actionJson, type Cli, DIR, JSON_DOCUMENT, type ProjectOptions, sentenceFor } from '../../cli.ts';

export function declareDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('check what this project needs, and say how to get what is missing')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ProjectOptions) => doctor(cli, options)));
}

async function doctor(cli: Cli, options: ProjectOptions): Promise<number> {
  const { screen } = cli;
  const { green, red, yellow, cyan, dim } = screen.style;
  const project = await cli.open(options);
  const { findings, ok } = await project.doctor();
  if (options.json) {
    const told = findings.map(({ next, ...finding }) =>
      next === undefined ? finding : { ...finding, next: actionJson(project, next) },
    );
    cli.json({ findings: told, ok });
    return ok ? 0 : 1;
  }
  const marks = { good: green('✓'), note: yellow('!'), wrong: red('✗') };
  for (const { level, what, next } of findings) {
    screen.line(`${marks[level]} ${what}`);
    if (next !== undefined) screen.line(`  ${cyan('next:')} ${sentenceFor(project, next)}`);
  }
  const wrong = findings.filter(({ level }) => level === 'wrong');
  screen.line();
  screen.line(
    ok ? green('Everything that is needed is here.') : red(`${count(wrong.length, 'thing')} to do.`),
  );
  screen.line(dim('Nothing was sent anywhere to find this out.'));
  return ok ? 0 : 1;
}
