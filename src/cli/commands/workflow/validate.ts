import type { Command } from 'commander';
import { count } from '../../../kernel/words.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';

export const FILE = 'a manifest, or the name of a shipped one; the workflow of this project otherwise';

interface ValidateOptions extends ProjectOptions {
  readonly strict?: true;
}

export function declareValidate(program: Command, cli: Cli): void {
  program
    .command('validate')
    .description('check a manifest and name all its problems')
    .argument('[file]', FILE)
    .option('--strict', 'warnings count as errors')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((file: string | undefined, options: ValidateOptions) => validate(cli, file, options)));
}

async function validate(cli: Cli, file: string | undefined, options: ValidateOptions): Promise<number> {
  const { screen } = cli;
  const { green, red, yellow, cyan, dim } = screen.style;
  const project = await cli.open(options);
  const found = await project.validate(file, { strict: options.strict ?? false });
  const code = found.valid ? 0 : 1;
  if (options.json) {
    cli.json(found);
    return code;
  }
  for (const { severity, text } of found.problems)
    screen.line(`${severity === 'error' ? red('error') : yellow('warning')} ${text}`);
  const errors = found.problems.filter(({ severity }) => severity === 'error').length;
  const sums = `${count(errors, 'error')}, ${count(found.problems.length - errors, 'warning')}`;
  screen.line(
    found.valid
      ? `${green('✓')} ${found.workflow} is valid ${dim(`(${sums})`)}`
      : `${red('✗')} ${found.workflow}: ${sums}`,
  );
  for (const name of found.unconfigured) {
    screen.line(dim(`  "${name}" needs a command in .loopwright/config.json before it can run here.`));
  }
  if (found.valid) cli.next(project, 'graph', found.workflow);
  else screen.line(`${cyan('next:')} correct the manifest, then validate it again`);
  return code;
}
