import { type Action, action } from '../../kernel/action.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import type { Delivery } from '../../orchestrator/state/delivery.ts';
import type { TreeDiff } from '../../workspace/checkpoints/diff.ts';
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
  { step, from, to }: DiffRange = {},
): Promise<SessionDiff> {
  if (step !== undefined && (from !== undefined || to !== undefined)) {
    throw new UsageError('One step and a range of steps exclude each other.', { next: 'Give one of them.' });
  }
  if (written !== undefined && (await isTaskId(opened, written)))
    return diffOfTask(opened, written, step ?? from ?? to);
  const kept = await openKeptSession(opened, written, { orTask: true });
  for (const position of [step, from, to]) refuseUnknownStep(kept, position);
  const change = step === undefined ? await betweenSteps(kept, from, to) : await ofStep(kept, step);
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
