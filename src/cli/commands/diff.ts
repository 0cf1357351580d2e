import { UsageError } from '../../kernel/errors.ts';
import { type OpenedSession, openKeptSession } from '../../project/files/opened-session.ts';
import type { TreeDiff } from '../../workspace/checkpoints/diff.ts';
import { parsePosition, parseStepNumber } from '../option-values.ts';
import type { Screen } from '../output.ts';

export interface DiffOptions {
  readonly step?: string;
  readonly from?: string;
  readonly to?: string;
  readonly stat?: true;
  readonly dir?: string;
  readonly json?: true;
}

const NOTHING: TreeDiff = { files: [], insertions: 0, deletions: 0, text: '' };

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
  const kept = await openKeptSession(written, options.dir);
  const { opened, id } = kept;
  const change =
    step === undefined
      ? await betweenSteps(kept, position(kept, from), position(kept, to))
      : await ofStep(kept, position(kept, step, parseStepNumber) ?? 0);
  if (options.json) {
    screen.json({ session: id, ...change });
    return 0;
  }
  const { cyan, dim } = screen.style;
  if (change.files.length === 0) screen.line('Nothing changed.');
  else if (!options.stat) screen.line(change.text.trimEnd());
  for (const file of change.files)
    screen.line(dim(`${file.kind.padEnd(8)} ${file.path}  +${file.insertions} -${file.deletions}`));
  const next = kept.snapshot.state.status === 'completed' ? 'accept' : 'timeline';
  screen.line(`${cyan('next:')} ${opened.project.command(next, id)}`);
  return 0;
}

/** A step that exists; the one who asks for another learns which there are. */
function position(
  { snapshot, id }: OpenedSession,
  text: string | undefined,
  parse: (text: string) => number = parsePosition,
): number | undefined {
  if (text === undefined) return undefined;
  const step = parse(text);
  const last = snapshot.state.step;
  if (step <= last) return step;
  throw new UsageError(`Session ${id} has no step ${step}.`, {
    next: `Its steps are 1 to ${last}; 0 is its beginning.`,
  });
}

/** Only steps that changed files have a checkpoint. */
async function ofStep({ checkpoints }: OpenedSession, step: number): Promise<TreeDiff> {
  const saved = (await checkpoints.list()).find((one) => one.step === step && one.task === undefined);
  return saved ? checkpoints.diff({ step: saved.commit }) : NOTHING;
}

/** The files after a step are those of the newest checkpoint until then; without an end, those of now. */
async function betweenSteps(
  { checkpoints, present }: OpenedSession,
  from: number | undefined,
  to: number | undefined,
): Promise<TreeDiff> {
  const last = to === undefined && !present ? Number.MAX_SAFE_INTEGER : to;
  const begin = from === undefined ? undefined : await checkpoints.at(from);
  const end = last === undefined ? undefined : await checkpoints.at(last);
  if (last !== undefined && !end) return NOTHING;
  return checkpoints.diff({
    ...(begin ? { from: begin.commit } : {}),
    ...(end ? { to: end.commit } : {}),
  });
}
