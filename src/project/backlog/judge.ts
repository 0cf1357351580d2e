import type { Backlog } from '../../backlog/backlog.ts';
import type { Run } from '../../backlog/history.ts';
import type { Task } from '../../backlog/task.ts';
import type { TaskState } from '../../backlog/words.ts';
import type { RepositoryMode } from '../../config/runtime/settings.ts';
import { type Action, action, advise } from '../../kernel/action.ts';
import { ConflictError, UsageError } from '../../kernel/errors.ts';
import { closeTask } from '../../tasks/prepare/close-task.ts';
import type { Delivered } from '../files/deliver.ts';
import { refuseSuspicious } from '../files/suspicious.ts';
import { maskedText } from '../masked.ts';
import type { OpenProject } from '../open.ts';
import { type OpenRuntime, openRuntime } from '../runtime/open-runtime.ts';
import { type ApproveRequest, acceptBranch, suspiciousOf, wasUndone } from './accept-branch.ts';
import { findTask } from './find-task.ts';
import { mergeRequest } from './prove-request.ts';

/** What became of the work of an approved task. */
export interface Approved {
  readonly task: string;
  readonly verdict: 'approve';
  /** Approved by an earlier verdict: nothing was changed. */
  readonly already: boolean;
  /** The branch it was delivered to; empty where no branch of this repository got it. */
  readonly base: string;
  readonly delivered?: Delivered;
  /** The pull request that was merged. */
  readonly merged?: string;
  /** What was done to its branch after its checks, or what no hook has seen. */
  readonly unchecked: readonly string[];
}

/** A person is content with what a task delivered: it is accepted and the task is done. */
export function approveTask(
  opened: OpenProject,
  written: string,
  request: ApproveRequest = {},
): Promise<Approved> {
  const { merge = false } = request;
  return withRuntime(opened, async (runtime, backlog) => {
    const task = await findTask(backlog, written);
    const verdict = { task: task.id, verdict: 'approve', base: '', unchecked: [] } as const;
    const history = await backlog.history(task.id);
    const { artifacts } = history;
    if (task.state === 'done') {
      if (!(await wasUndone(runtime, task, history))) return { ...verdict, already: true };
      return { ...verdict, already: false, ...(await acceptBranch(runtime, task, history, request)) };
    }
    if (task.blockReason !== 'awaiting_judge')
      throw notWaiting(task, action('task.show', 'Look at it', { task: task.id }));
    const mode = deliveredMode(artifacts) ?? task.mode ?? runtime.settings.repository.mode;
    const accepted = mode === 'local-git' ? await acceptBranch(runtime, task, history, request) : undefined;
    if (mode === 'github') refuseUnanswered(runtime, task, history.runs, request);
    const merged =
      mode === 'github' && merge ? await mergeRequest(runtime, task, history, request) : undefined;
    const reason = mode === 'github' ? request.suspicious?.trim() : undefined;
    const unchecked = [
      ...(accepted?.unchecked ?? merged?.unchecked ?? []),
      ...(reason === undefined || reason === '' ? [] : [`suspicious changes accepted: ${reason}`]),
    ];
    const along = unchecked.map((what) => `, ${what}`).join('');
    await runtime.store.scheduler.approve(task.id, `approved by a person${along}`);
    const place = { config: runtime.opened.config, repository: runtime.settings.repository };
    await closeTask(mode, place, task.id);
    return {
      ...verdict,
      already: false,
      ...accepted,
      ...(merged === undefined ? {} : { merged: merged.merged }),
      unchecked,
    };
  });
}

/** A person wants another attempt, with notes on what should be different. */
export function reworkTask(
  opened: OpenProject,
  written: string,
  notes: string,
): Promise<{ readonly task: string; readonly verdict: 'rework' }> {
  return withRuntime(opened, async ({ store: { scheduler } }, backlog) => {
    const task = await findTask(backlog, written);
    if (notes.trim() === '')
      throw new UsageError('A rework needs notes: what should be different?', {
        next: { ...action('task.rework', 'Say it', { task: task.id }), needs: ['notes'] },
      });
    const instead = NO_REWORK[task.state];
    if (instead !== undefined) throw notWaiting(task, instead(task.id));
    const said = maskedText(opened, notes);
    await scheduler.requeue(task.id, { reason: `rework: ${said}`, notes: said });
    return { task: task.id, verdict: 'rework' };
  });
}

/** In these states there is nothing to judge; what can be done instead. */
const NO_REWORK: { readonly [state in TaskState]?: (task: string) => Action } = {
  done: () => advise('A task that is done stays done: add a new one.'),
  cancelled: (task) => ({ ...action('task.requeue', 'Put it back in line', { task }), needs: ['notes'] }),
  queued: (task) => ({
    ...action('task.edit', 'It is in line already; give it notes', { task }),
    needs: ['notes'],
  }),
  running: (task) => action('task.cancel', 'Wait for it, or cancel it', { task }),
};

function notWaiting({ id, state }: Task, next: Action): ConflictError {
  return new ConflictError(`Task ${id} does not wait for a verdict: it is ${state}.`, { next });
}

/** Also where a person merges it elsewhere: done never stands beside what made its checks worth less, unanswered. */
function refuseUnanswered(
  { opened }: OpenRuntime,
  { id }: Task,
  runs: readonly Run[],
  { suspicious, merge }: ApproveRequest,
): void {
  const found = suspiciousOf(opened, runs.at(-1));
  if (!found) return;
  const merging = merge === true ? { merge } : {};
  refuseSuspicious(found, suspicious, {
    who: `task ${id}`,
    acceptIt: (input, label) => action('task.approve', label, { task: id, ...merging, ...input }),
  });
}

async function withRuntime<T>(
  opened: OpenProject,
  judge: (runtime: OpenRuntime, backlog: Backlog) => Promise<T>,
): Promise<T> {
  const runtime = openRuntime(opened);
  try {
    return await judge(runtime, runtime.store.backlog);
  } finally {
    runtime.store.close();
  }
}

const MODE_BY_PRODUCT: { readonly [type: string]: RepositoryMode } = {
  pr: 'github',
  branch: 'local-git',
  direct_edit: 'direct',
};

/**
 * In which mode a task was delivered, by the last product that tells: what is configured now may be something else
 * than what it was worked with. A pull request is recorded after its branch.
 */
function deliveredMode(artifacts: readonly { readonly type: string }[]): RepositoryMode | undefined {
  const telling = artifacts.findLast(({ type }) => type in MODE_BY_PRODUCT);
  return telling && MODE_BY_PRODUCT[telling.type];
}
