import { type Action, action } from '../../kernel/action.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import type { Delivery } from '../../orchestrator/state/delivery.ts';
import type { FileSides, DiffRange as SavedRange, TreeDiff } from '../../workspace/checkpoints/diff.ts';
import type { OpenProject } from '../open.ts';
import { isTaskId } from '../sessions/find-any.ts';
import { type OpenedSession, openKeptSession } from './opened-session.ts';

export interface DiffRange {
  /** Only what one step changed; excludes the others. */
  readonly step?: number;
  /** From the end of this step; 0 is the beginning. */
  readonly from?: number;
  readonly to?: number;
}

export interface SessionDiff extends TreeDiff {
  /** The session, or the task. */
  readonly session: string;
  readonly status: string;
  /** What a person did with it; null while nobody has decided. */
  readonly delivery: Delivery | null;
  /** What is most likely next. */
  readonly next: Action;
}

const NOTHING: TreeDiff = { files: [], insertions: 0, deletions: 0, text: '' };

/** What a session changed: all of it, in one step, or between two. */
export async function diff(
  opened: OpenProject,
  written: string | undefined,
  range: DiffRange = {},
): Promise<SessionDiff> {
  refuseBoth(range);
  const { step, from, to } = range;
  if (written !== undefined && (await isTaskId(opened, written)))
    return diffOfTask(opened, written, step ?? from ?? to);
  const kept = await openKeptSession(opened, written, { orTask: true });
  const sides = await rangeOf(kept, range);
  const change = sides ? await kept.checkpoints.diff(sides) : NOTHING;
  const { status, delivery } = kept.snapshot.state;
  return { session: kept.id, status, delivery, ...change, next: nextOf(kept, change) };
}

/** What makes sense once somebody has seen the changes. */
function nextOf({ id: session, snapshot: { state } }: OpenedSession, { files }: TreeDiff): Action {
  const look = action('session.timeline', 'Its steps', { session });
  if (state.delivery?.kind === 'delivered') return action('session.undo', 'Take it out again', { session });
  if (state.delivery?.kind === 'discarded' || files.length === 0) return look;
  if (state.halt?.reason === 'suspicious')
    return action('session.accept', 'Accept it with a reason', { session, suspicious: '<reason>' });
  return state.status === 'completed' ? action('session.accept', 'Accept it', { session }) : look;
}

/** What a task has delivered to its branch, or has in its folder so far. */
async function diffOfTask(
  opened: OpenProject,
  written: string,
  position: number | undefined,
): Promise<SessionDiff> {
  if (position !== undefined)
    throw new UsageError('Steps are those of a session, and a task can have several.', {
      next: 'Give the id of one of its sessions.',
    });
  const { taskDiff } = await import('../backlog/task-diff.ts');
  return taskDiff(opened, written);
}

/** Whoever asks for a step that does not exist learns which there are. */
function refuseUnknownStep({ snapshot, id }: OpenedSession, step: number | undefined): void {
  const last = snapshot.state.step;
  if (step === undefined || step <= last) return;
  throw new NotFoundError(`Session ${id} has no step ${step}.`, {
    next: `Its steps are 1 to ${last}; 0 is its beginning.`,
  });
}

/** One file of a diff, whole on both sides. */
export interface DiffFile extends FileSides {
  readonly session: string;
  readonly path: string;
}

/** A file of what a session changed; one that the diff does not have is none. */
export async function diffFile(
  opened: OpenProject,
  written: string | undefined,
  path: string,
  range: DiffRange = {},
): Promise<DiffFile> {
  refuseBoth(range);
  const kept = await openKeptSession(opened, written);
  const sides = await rangeOf(kept, range);
  const file = sides && (await kept.checkpoints.file(sides, path));
  if (file) return { session: kept.id, path, ...file };
  throw new NotFoundError(`Session ${kept.id} did not change ${path} there.`, {
    next: action('session.diff', 'See what it changed', { session: kept.id }),
  });
}

/**
 * What is compared. Only steps that changed files have a checkpoint; the files after a step are those of the newest
 * one until then; without an end, those of now. Undefined: nothing was changed.
 */
async function rangeOf(kept: OpenedSession, { step, from, to }: DiffRange): Promise<SavedRange | undefined> {
  const { checkpoints, present } = kept;
  for (const position of [step, from, to]) refuseUnknownStep(kept, position);
  if (step !== undefined) {
    const saved = (await checkpoints.list()).find((one) => one.step === step && one.task === undefined);
    return saved && { step: saved.commit };
  }
  const last = to === undefined && !present ? Number.MAX_SAFE_INTEGER : to;
  const begin = from === undefined ? undefined : await checkpoints.at(from);
  const end = last === undefined ? undefined : await checkpoints.at(last);
  if (last !== undefined && !end) return undefined;
  return { ...(begin ? { from: begin.commit } : {}), ...(end ? { to: end.commit } : {}) };
}

function refuseBoth({ step, from, to }: DiffRange): void {
  if (step === undefined || (from === undefined && to === undefined)) return;
  throw new UsageError('One step and a range of steps exclude each other.', { next: 'Give one of them.' });
}
