import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { configPath } from '../../config/config-file.ts';
import { type DetectedCommands, detectCommands } from '../../config/detect.ts';
import { writeConfig } from '../../config/write-config.ts';
import { UsageError } from '../../kernel/errors.ts';
import { findProject, type Project } from '../../project/place.ts';
import { excludeFromGit } from '../../workspace/git/exclude.ts';
import { confirm } from '../ask.ts';
import { table } from '../display/table.ts';
import type { Screen } from '../output.ts';
import { shellWord } from '../self.ts';

export interface InitOptions {
  readonly yes?: true;
  readonly force?: true;
  readonly dir: string;
  readonly json?: true;
}

const KINDS = ['test', 'lint', 'build'] as const;

/** Finds out how the project is checked, and writes it down where a person can correct it. */
export async function init(screen: Screen, options: InitOptions): Promise<number> {
  const project = findProject(options.dir);
  const file = configPath(project.dir);
  const found = detectCommands(project.dir);
  if (!options.json) print(screen, project, found);
  if (existsSync(file) && !options.force) throw existsAlready(file);
  const asks = screen.interactive && !options.yes && !options.json;
  if (asks && !(await confirm(`Write ${relative(process.cwd(), file) || file}?`))) {
    screen.line('Nothing was written.');
    screen.line(`${screen.style.cyan('next:')} ${project.command('init', '--yes')}`);
    return 0;
  }
  const { written } = await writeConfig(project.dir, found, { overwrite: options.force ?? false });
  if (!written) throw existsAlready(file);
  const excluded = await excludeFromGit(project.dir);
  if (options.json) screen.json({ file, found, excluded });
  else finish(screen, project, file, { found, excluded });
  return 0;
}

function existsAlready(file: string): UsageError {
  return new UsageError(`${file} exists already.`, {
    next: 'Edit it, or let --force write the commands anew; everything else in it is kept.',
  });
}

function print(screen: Screen, project: Project, found: DetectedCommands): void {
  const { dim, yellow } = screen.style;
  screen.line(`Commands of ${project.dir}`);
  const rows = KINDS.map((kind) => {
    const hit = found[kind];
    if (!hit) return [kind, { text: 'not found', paint: yellow }, ''];
    return [kind, hit.command.map(shellWord).join(' '), `from ${hit.from}`];
  });
  for (const line of table(['', 'command', ''], rows, dim).slice(1)) screen.line(`  ${line}`);
}

function finish(
  screen: Screen,
  project: Project,
  file: string,
  { found, excluded }: { found: DetectedCommands; excluded: string },
): void {
  const { cyan, dim } = screen.style;
  screen.line(`Wrote ${file}`);
  if (excluded === 'added')
    screen.line(dim("It is kept out of git by the repository's own .git/info/exclude."));
  if (!found.test) screen.line('Without a test command nothing can be proven: set commands.test in it.');
  screen.line(`${cyan('next:')} name the program that plays "Coder" in it, then`);
  screen.line(`  ${project.command('run', 'fix the failing tests')}`);
}
