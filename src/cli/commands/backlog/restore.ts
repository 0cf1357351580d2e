import type { Command } from 'commander';
import { count } from '../../../kernel/words.ts';
import type { OfferedFile } from '../../../project/backlog/restore.ts';
import { confirm } from '../../ask.ts';
import { toChange } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, TASK } from '../../cli.ts';
import { table } from '../../display/table.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../open-trusted.ts';

interface RestoreOptions extends TrustOptions {
  readonly yes?: true;
}

export function declareRestore(program: Command, cli: Cli): void {
  program
    .command('restore')
    .description('put back what a task in direct mode changed, where a copy was kept')
    .argument('[task]', TASK)
    .argument('[path...]', 'only these files')
    .option('-y, --yes', 'do not ask')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(
      cli.action((task: string | undefined, paths: string[], options: RestoreOptions) =>
        restore(cli, task, paths, options),
      ),
    );
}

async function restore(
  cli: Cli,
  written: string | undefined,
  paths: readonly string[],
  options: RestoreOptions,
): Promise<void> {
  const { screen } = cli;
  const project = await openTrusted(cli, options);
  const id = await toChange(cli, project, written, options, 'restore');
  const { task, files: offered } = await project.restorableFiles(id, paths);
  if (!options.json) {
    const rows = offered.map((file) => [file.path, file.what, wordFor(file)]);
    for (const line of table(['file', 'was', ''], rows, screen)) screen.line(line);
  }
  const possible = offered.filter(({ wanted }) => wanted).length;
  if (possible === 0) {
    if (options.json) return cli.json({ task, restored: [], offered });
    return screen.line('Nothing can be put back.');
  }
  const sure =
    options.yes ||
    (screen.interactive && !options.json && (await confirm(`Put ${count(possible, 'file')} back?`)));
  if (!sure) {
    if (options.json) return cli.json({ task, restored: [], offered });
    return screen.line('Nothing was changed. Add --yes to put them back.');
  }
  const done = await project.restore(id, paths);
  if (options.json) return cli.json(done);
  return screen.line(`Put ${count(done.restored.length, 'file')} back; what was there is in ${done.trash}.`);
}

function wordFor({ copy, wanted }: OfferedFile): string {
  if (!copy) return 'no copy was kept';
  return wanted ? 'can be put back' : 'changed since by somebody else: name it to put it back';
}
