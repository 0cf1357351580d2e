import type { Command } from 'commander';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { table } from '../../display/table.ts';

interface ConfigOptions extends ProjectOptions {
  readonly all?: true;
}

export function declareConfig(program: Command, cli: Cli): void {
  program
    .command('config')
    .description('show the commands of the project and all settings, and where each comes from')
    .option('--all', 'also what is at its default')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((options: ConfigOptions) => config(cli, options)));
}

async function config(cli: Cli, options: ConfigOptions): Promise<number> {
  const { screen } = cli;
  const { dim, cyan, yellow, red } = screen.style;
  const project = await cli.open(options);
  const { commands, settings, userFile, warnings, errors } = await project.config();
  const code = errors.length === 0 ? 0 : 1;
  if (options.json) {
    cli.json({ commands, settings, userFile, warnings, errors });
    return code;
  }
  const checks = commands.map(({ kind, command, source, from }) => [
    kind,
    { text: command ?? 'none', paint: command === null ? yellow : (text: string) => text },
    { text: source, paint: source === 'configured' ? cyan : dim },
    from ?? '-',
  ]);
  for (const line of table(['command', 'is', 'source', 'from'], checks, screen)) screen.line(line);
  for (const { problem } of commands) if (problem !== undefined) screen.line(red(`✗ ${problem}`));
  screen.line();
  const shown = options.all ? settings : settings.filter(({ source }) => source !== 'default');
  const rows = shown.map(({ key, value, source, variable, meaning }) => [
    key,
    typeof value === 'string' ? value || '-' : JSON.stringify(value),
    { text: source, paint: source === 'default' ? dim : cyan },
    variable || '-',
    meaning,
  ]);
  if (rows.length > 0)
    for (const line of table(['setting', 'value', 'source', 'variable', 'meaning'], rows, screen))
      screen.line(line);
  else screen.line('Everything is at its default.');
  screen.line(dim(`What holds for all your projects (source "user") is in ${userFile}.`));
  for (const warning of warnings) screen.line(yellow(`! ${warning}`));
  for (const error of errors) screen.line(red(`✗ ${error}`));
  if (!options.all) cli.next(project, 'config', '--all');
  return code;
}
