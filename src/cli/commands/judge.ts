import { UsageError } from '../../kernel/errors.ts';
import { Backlog } from '../../tasks/backlog/backlog.ts';
import type { RecordedArtifact } from '../../tasks/backlog/history.ts';
import type { Task, TaskState } from '../../tasks/backlog/task.ts';
import { mergeDelivered } from '../../tasks/github/merge-delivered.ts';
import { closeTask } from '../../tasks/prepare/close-task.ts';
import { deliveredMode } from '../../tasks/prepare/delivered-mode.ts';
import { accept } from '../../workspace/delivery/accept.ts';
import type { Screen } from '../output.ts';
import { findTask } from '../runtime/find-task.ts';
import { type OpenRuntime, openRuntime } from '../runtime/open-runtime.ts';
import { refusal } from './deliver.ts';

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
    const backlog = new Backlog(runtime.database);
    const task = await findTask(backlog, written);
    const said =
      verdict === 'approve'
        ? await approve(runtime, backlog, task, options)
        : await rework(runtime, task, notes);
    if (options.json) screen.json({ task: task.id, verdict, said });
    else screen.line(said);
    return 0;
  } finally {
    runtime.database.close();
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
  const where =
    mode === 'local-git'
      ? await acceptBranch(runtime, task, artifacts)
      : mode === 'github' && merge
        ? await mergeRequest(runtime, artifacts)
        : 'approved';
  await runtime.scheduler.approve(task.id, 'approved by a person');
  await closeTask(mode, { config: runtime.opened.config, repository: runtime.settings.repository }, task.id);
  return `Task ${task.id} is done: ${where}.`;
}

/** The files first, then the state: repeated after a kill in between, it finds what it had accepted. */
async function acceptBranch(
  runtime: OpenRuntime,
  task: Task,
  artifacts: readonly RecordedArtifact[],
): Promise<string> {
  const data = (type: string) => artifacts.findLast((artifact) => artifact.type === type);
  const branch = data('branch');
  const base = branch?.data?.['base'];
  if (!branch || typeof base !== 'string')
    throw new UsageError(`Task ${task.id} has recorded no branch.`, {
      next: `See: loopwright show ${task.id}`,
    });
  const { projectDir } = runtime.opened.config;
  const result = await accept({
    repo: runtime.settings.repository.path || projectDir,
    worktree: data('worktree')?.ref ?? '',
    branch: branch.ref,
    base,
    session: task.id,
    mode: 'squash',
    message: `${task.title}\n\n${task.goal === task.title ? '' : `${task.goal}\n\n`}Loopwright-Task: ${task.id}`,
  });
  if (result.kind === 'refused') throw refusal(result);
  return result.kind === 'nothing-to-accept'
    ? 'there was nothing to accept'
    : `${result.commit.slice(0, 12)} on ${base}`;
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

async function rework({ scheduler }: OpenRuntime, task: Task, notes: string | undefined): Promise<string> {
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
