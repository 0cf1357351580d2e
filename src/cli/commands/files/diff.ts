import type { Command } from 'commander';
import type { DiffRange } from '../../../project/files/diff.ts';
import { wordsOf } from '../../action-line.ts';
import { toLookAt } from '../../choose.ts';
import { type Cli, DIR, JSON_DOCUMENT, type ProjectOptions } from '../../cli.ts';
import { deliveryWords } from '../../display/delivery-words.ts';
import { parsePosition, parseStepNumber } from '../../option-values.ts';

interface DiffOptions extends ProjectOptions {
  readonly step?: string;
  readonly from?: string;
  readonly to?: string;
  readonly stat?: true;
}

export function declareDiff(program: Command, cli: Cli): void {
  program
    .command('diff')
    .description('show what a session or a task changed')
    .argument('[session]', 'its id, or that of a task; its last four characters are enough')
    .option('--step <n>', 'only what one step changed')
    .option('--from <n>', 'from the end of this step')
    .option('--to <n>', 'to the end of this step')
    .option('--stat', 'only the files, not their content')
    .option(...DIR)
    .option(...JSON_DOCUMENT)
    .action(cli.action((id: string | undefined, options: DiffOptions) => diff(cli, id, options)));
}

async function diff(cli: Cli, id: string | undefined, options: DiffOptions): Promise<void> {
  const { screen } = cli;
  const project = await cli.open(options);
  const {
    status: _status,
    next,
    ...change
  } = await project.diff(await toLookAt(cli, project, id, options), rangeOf(options));
  if (options.json) return cli.json(change);
  if (change.files.length === 0) screen.line('Nothing changed.');
  else if (!options.stat) screen.verbatim(change.text.trimEnd());
  for (const file of change.files) {
    const line = `${file.kind.padEnd(8)} ${file.path}  +${file.insertions} -${file.deletions}`;
    screen.line(screen.style.dim(line));
  }
  const work = deliveryWords(change.delivery);
  if (work !== undefined) screen.line(work);
  return cli.next(project, ...(wordsOf(next) ?? ['show', change.session]));
}

function rangeOf({ step, from, to }: DiffOptions): DiffRange {
  return {
    ...(step === undefined ? {} : { step: parseStepNumber(step) }),
    ...(from === undefined ? {} : { from: parsePosition(from) }),
    ...(to === undefined ? {} : { to: parsePosition(to) }),
  };
}
