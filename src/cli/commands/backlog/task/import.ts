import type { Command } from 'commander';
import { UsageError } from '../../../../kernel/errors.ts';
import { count } from '../../../../kernel/words.ts';
import type { ImportSource } from '../../../../project/backlog/import-tasks.ts';
import { type Cli, DIR, JSON_DOCUMENT } from '../../../cli.ts';
import { openTrusted, TRUST, type TrustOptions } from '../../../open-trusted.ts';

interface ImportOptions extends TrustOptions {
  readonly github?: true;
  readonly label?: readonly string[];
}

export function declareImport(task: Command, cli: Cli): void {
  task
    .command('import')
    .description(
      'add the tasks of a Markdown checklist, a JSON file or GitHub issues; what is known already is left alone',
    )
    .argument('[file]', 'a .md or .json file')
    .option('--github', 'the open issues of REPO_URL instead of a file')
    .option('--label <name...>', 'with --github: only issues that have all of these labels')
    .option(...DIR)
    .option(...TRUST)
    .option(...JSON_DOCUMENT)
    .action(
      cli.action((file: string | undefined, options: ImportOptions) => importTasks(cli, file, options)),
    );
}

async function importTasks(cli: Cli, file: string | undefined, options: ImportOptions): Promise<void> {
  const source = sourceOf(file, options);
  const project = await openTrusted(cli, options);
  const { added, known } = await project.importTasks(source);
  if (options.json) return cli.json({ added, known });
  const already = known.length === 0 ? '' : `, ${known.length} known already`;
  cli.screen.line(`${count(added.length, 'task')} added${already}.`);
  return cli.next(project, 'task', 'list');
}

function sourceOf(file: string | undefined, { github, label }: ImportOptions): ImportSource {
  if (github) {
    if (file === undefined) return { issues: { labels: label ?? [] } };
    throw new UsageError(`Both ${file} and --github are given.`, { next: 'Import one after the other.' });
  }
  if (label !== undefined)
    throw new UsageError('--label chooses issues, so it needs --github.', { next: 'Add --github.' });
  if (file !== undefined) return { file };
  throw new UsageError('There is nothing to import from.', {
    next: 'Give a .md or .json file, or --github for the open issues of REPO_URL.',
  });
}
