import type { Backlog } from '../../backlog/backlog.ts';
import type { RecordedArtifact } from '../../backlog/history.ts';
import type { Task } from '../../backlog/task.ts';
import type { TaskState } from '../../backlog/words.ts';
import { UsageError } from '../../kernel/errors.ts';
import { type Accepted, acceptBranch } from '../../project/backlog/accept-branch.ts';
import { findTask } from '../../project/backlog/find-task.ts';
import { type OpenRuntime, openRuntime } from '../../project/runtime/open-runtime.ts';
import { mergeDelivered } from '../../tasks/github/merge-delivered.ts';
import { closeTask } from '../../tasks/prepare/close-task.ts';
import { deliveredMode } from '../../tasks/prepare/delivered-mode.ts';
import type { Screen } from '../output.ts';

export interface JudgeOptions {
  readonly merge?: true;
  readonly dir?: string;
  readonly json?: true;
}

/** A person's verdict on what a task delivered. */
export async function judge(
  screen: Screen,
  written: string,
  verdict: string,
  notes: string | undefined,
  options: JudgeOptions,
): Promise<number> {
  if (verdict !== 'approve' && verdict !== 'rework') {
    throw new UsageError(`"${verdict}" is not a verdict.`, {
      next: 'Say approve, or rework with notes for the next attempt.',
    });
  }
  const runtime = openRuntime(options.dir);
  try {
    const backlog = runtime.store.backlog;
    const task = await findTask(backlog, written);
    const said =
      verdict === 'approve'
        ? await approve(runtime, backlog, task, options)
        : await rework(runtime, task, notes);
    if (options.json) screen.json({ task: task.id, verdict, said });
    else screen.line(said);
    return 0;
  } finally {
    runtime.store.close();
  }
}

async function approve(
  runtime: OpenRuntime,
  backlog: Backlog,
  task: Task,
  { merge }: JudgeOptions,
): Promise<string> {
  if (task.state === 'done') return `Task ${task.id} is done already.`;
  if (task.blockReason !== 'awaiting_judge') {
    throw new UsageError(`Task ${task.id} does not wait for a verdict: it is ${task.state}.`, {
      next: `See: loopwright show ${task.id}`,
    });
  }
  const { artifacts } = await backlog.history(task.id);
  const mode = deliveredMode(artifacts) ?? task.mode ?? runtime.settings.repository.mode;
  const { where, unchecked = [] }: Accepted =
    mode === 'local-git'
      ? await acceptBranch(runtime, task, artifacts)
      : { where: mode === 'github' && merge ? await mergeRequest(runtime, artifacts) : 'approved' };
  const along = unchecked.map((what) => `, ${what}`).join('');
  await runtime.store.scheduler.approve(task.id, `approved by a person${along}`);
  await closeTask(mode, { config: runtime.opened.config, repository: runtime.settings.repository }, task.id);
  return `Task ${task.id} is done: ${where}${along}.`;
}

async function mergeRequest(
  { opened, settings }: OpenRuntime,
  artifacts: readonly RecordedArtifact[],
): Promise<string> {
  const request = artifacts.findLast(({ type }) => type === 'pr');
  if (!request)
    throw new UsageError('No pull request was recorded.', { next: 'Approve it without --merge.' });
  await mergeDelivered({ config: opened.config, repository: settings.repository }, request);
  return `${request.ref} is merged`;
}

/** In these states there is nothing to judge; what can be done instead. */
const NO_REWORK: { readonly [state in TaskState]?: (id: string) => string } = {
  done: () => 'A task that is done stays done: add a new one.',
  cancelled: (id) => `Put it back in line: loopwright task requeue ${id} --notes "..."`,
  queued: (id) => `It is in line already; give it notes: loopwright task edit ${id} --notes "..."`,
  running: (id) => `Wait for it, or cancel it: loopwright task cancel ${id}`,
};

async function rework(
  { store: { scheduler } }: OpenRuntime,
  task: Task,
  notes: string | undefined,
): Promise<string> {
  if (notes === undefined || notes.trim() === '') {
    throw new UsageError('A rework needs notes: what should be different?', {
      next: `loopwright judge ${task.id} rework "..."`,
    });
  }
  const refused = NO_REWORK[task.state];
  if (refused !== undefined)
    throw new UsageError(`Task ${task.id} does not wait for a verdict: it is ${task.state}.`, {
      next: refused(task.id),
    });
  await scheduler.requeue(task.id, { reason: `rework: ${notes}`, notes });
  return `Task ${task.id} is in line again, with your notes.`;
}
