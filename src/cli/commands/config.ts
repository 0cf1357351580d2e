import { loadConfig } from '../../config/load-config.ts';
import { findProject } from '../../project/place.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';

export interface ConfigOptions {
  readonly all?: true;
  readonly dir?: string;
  readonly json?: true;
}

/** Every setting with its value and where it comes from. */
export async function config(screen: Screen, options: ConfigOptions): Promise<number> {
  const project = findProject(options.dir);
  const { runtime } = loadConfig(project.dir);
  const { all, warnings, errors } = runtime;
  if (options.json) {
    const settings = all.map(({ setting: { key, variable, meaning, fallback }, value, source }) => ({
      key,
      variable,
      value,
      source,
      default: fallback,
      meaning,
    }));
    screen.json({ settings, warnings, errors });
    return errors.length === 0 ? 0 : 1;
  }
  const { dim, cyan, yellow, red } = screen.style;
  const shown = options.all ? all : all.filter(({ source }) => source !== 'default');
  const rows = shown.map(({ setting, value, source }) => [
    setting.key,
    typeof value === 'string' ? value || '-' : JSON.stringify(value),
    { text: source, paint: source === 'default' ? dim : cyan },
    setting.variable,
    setting.meaning,
  ]);
  if (rows.length > 0)
    for (const line of table(['setting', 'value', 'source', 'variable', 'meaning'], rows, dim))
      screen.line(line);
  else screen.line('Everything is at its default.');
  for (const warning of warnings) screen.line(yellow(`! ${warning}`));
  for (const error of errors) screen.line(red(`✗ ${error}`));
  if (!options.all) screen.line(`${cyan('next:')} ${project.command('config', '--all')}`);
  return errors.length === 0 ? 0 : 1;
}
