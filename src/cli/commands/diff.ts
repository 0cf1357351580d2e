import { UsageError } from '../../kernel/errors.ts';
import { parseStepNumber } from '../option-values.ts';
import type { Screen } from '../output.ts';
import { openKeptSession } from '../workspace/opened-session.ts';

export interface DiffOptions {
  readonly step?: string;
  readonly from?: string;
  readonly to?: string;
  readonly stat?: true;
  readonly dir?: string;
  readonly json?: true;
}

/** What a session changed: all of it, in one step, or between two. */
export async function diff(
  screen: Screen,
  written: string | undefined,
  options: DiffOptions,
): Promise<number> {
  const { step, from, to } = options;
  if (step !== undefined && (from !== undefined || to !== undefined)) {
    throw new UsageError('--step and --from/--to exclude each other.', { next: 'Give one of them.' });
  }
  const { opened, id, checkpoints } = await openKeptSession(written, options.dir);
  const range = {
    ...(step === undefined ? {} : { step: parseStepNumber(step) }),
    ...(from === undefined ? {} : { from: parseStepNumber(from) }),
    ...(to === undefined ? {} : { to: parseStepNumber(to) }),
  };
  const change = await checkpoints.diff(range);
  if (options.json) {
    screen.json({ session: id, ...change });
    return 0;
  }
  const { cyan, dim } = screen.style;
  if (change.files.length === 0) screen.line('Nothing changed.');
  else if (!options.stat) screen.line(change.text.trimEnd());
  for (const file of change.files)
    screen.line(dim(`${file.kind.padEnd(8)} ${file.path}  +${file.insertions} -${file.deletions}`));
  screen.line(`${cyan('next:')} ${opened.project.command('accept', id)}`);
  return 0;
}
