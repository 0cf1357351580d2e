import type { NamedDraft, TaskFilter } from '../../backlog/backlog.ts';
import type { TaskHistory } from '../../backlog/history.ts';
import type { Task, TaskDraft } from '../../backlog/task.ts';
import { STATES, type TaskState } from '../../backlog/words.ts';
import { runtimeSettings } from '../../config/runtime/settings.ts';
import { action } from '../../kernel/action.ts';
import { NotFoundError, UsageError } from '../../kernel/errors.ts';
import { isJsonObject } from '../../kernel/json.ts';
import { openStore } from '../../store/open.ts';
import { evidenceLines, inspectionIn, inspectionLines } from '../../tasks/runtime/evidence-words.ts';
import type { VerificationReport } from '../../verification/report.ts';
import { masked } from '../masked.ts';
import type { OpenProject } from '../open.ts';
import type { Place } from '../place.ts';
import { findTask } from './find-task.ts';
import { type OpenBacklog, withBacklog } from './open-backlog.ts';

const OPEN: readonly TaskState[] = ['running', 'queued', 'blocked', 'failed'];

/** What a person says about a task; other tasks are named as people write them. */
export type TaskWords = Partial<Omit<TaskDraft, 'dependencies'>> & {
  readonly needs?: readonly string[];
};

/** The ids of all tasks, without looking at anything else of the project. */
export async function taskIds({ folder }: Place): Promise<readonly string[]> {
  const store = openStore(folder);
  try {
    return await store.backlog.ids();
  } finally {
    store.close();
  }
}

/** All tasks as they stand, without looking at anything else of the project. */
export async function allTasks({ folder }: Place): Promise<readonly Task[]> {
  const store = openStore(folder);
  try {
    return await store.backlog.list();
  } finally {
    store.close();
  }
}

/** Tasks in the order of the line, with what they wait for; the open ones unless told otherwise. */
export function tasks(
  opened: OpenProject,
  filter: TaskFilter & { readonly all?: boolean } = {},
): Promise<Task[]> {
  const { all = false, ...wanted } = filter;
  const states = wanted.states ?? (all ? undefined : OPEN);
  return withBacklog(opened, async ({ backlog, described }) =>
    described(await backlog.list({ ...wanted, ...(states === undefined ? {} : { states }) })),
  );
}

export type Board = { readonly [state in TaskState]: readonly Task[] };

/** The whole backlog by state. */
export function board(opened: OpenProject): Promise<Board> {
  return withBacklog(opened, async ({ backlog, described }) => {
    const all = await described(await backlog.list());
    const inState = (state: TaskState): Task[] => all.filter((task) => task.state === state);
    return Object.fromEntries(STATES.map((state) => [state, inState(state)])) as { [s in TaskState]: Task[] };
  });
}

export interface Story extends Task, Omit<TaskHistory, 'runs'> {
  readonly runs: readonly ToldRun[];
}

/** A run with what was proven in it, in lines for a person. */
export type ToldRun = TaskHistory['runs'][number] & { readonly evidence: readonly string[] };

/** Everything that is known about a task: what was asked, its state, its runs, what they produced, every change. */
export function story(opened: OpenProject, written: string): Promise<Story> {
  return withBacklog(opened, async ({ backlog, described }) => {
    const found = await findTask(backlog, written);
    const [task = found] = await described([found]);
    const { runs, ...history } = await backlog.history(task.id);
    return { ...task, ...history, runs: runs.map((run) => ({ ...run, evidence: evidenceOf(run) })) };
  });
}

export function addTask(opened: OpenProject, title: string, words: TaskWords = {}): Promise<Task> {
  return withBacklog(opened, async (open) => {
    const { needs = [], ...draft } = words;
    const draftOf = masked(opened, { title, ...draft });
    await requireBudget(opened, draftOf);
    const { added } = await open.backlog.add([{ ...draftOf, dependencies: await idsOf(open, needs) }]);
    return taskNow(open, added[0] ?? '');
  });
}

/** Adds what is not in the backlog yet. */
export async function addTasks(opened: OpenProject, drafts: readonly NamedDraft[]) {
  for (const draft of drafts) await requireBudget(opened, draft);
  return withBacklog(opened, ({ backlog }) => backlog.add(drafts.map((draft) => masked(opened, draft))));
}

/** A budget that nobody could hold is refused with the task, as far as it is known who plays it. */
async function requireBudget(
  opened: OpenProject,
  { agents = [], role, budget }: Partial<Pick<TaskDraft, 'agents' | 'role' | 'budget'>>,
): Promise<void> {
  if (budget?.usd === undefined && budget?.tokens === undefined) return;
  const [{ requireTaskBudgetHolds }, { isChosen }] = await Promise.all([
    import('../runs/budget-holds.ts'),
    import('../runtime/choose-agent.ts'),
  ]);
  const settings = runtimeSettings(opened.config.runtime, { now: Date.now() });
  const of = role ?? 'worker';
  const chosen = isChosen(opened, of) ? [settings.agents[of]] : [];
  const players = agents.length > 0 ? agents : chosen;
  requireTaskBudgetHolds({ agents: players, model: settings.models[of], budget }, opened);
}

export function editTask(
  opened: OpenProject,
  written: string,
  { needs, acceptSecrets, ...said }: TaskWords & { readonly title?: string; readonly acceptSecrets?: string },
): Promise<Task> {
  return withBacklog(opened, async (open) => {
    const { id, context, ...known } = await findTask(open.backlog, written);
    await requireBudget(opened, { ...known, ...said });
    const accepted =
      acceptSecrets === undefined ? {} : { context: { ...context, secretsAccepted: acceptSecrets } };
    const changes = { ...masked(opened, said), ...accepted };
    const all = needs === undefined ? changes : { ...changes, dependencies: await idsOf(open, needs) };
    if (Object.keys(all).length === 0) {
      throw new UsageError('There is nothing to change.', {
        next: action('command.help', 'See what can be changed', { command: 'task edit' }),
      });
    }
    await open.backlog.edit(id, all);
    return taskNow(open, id);
  });
}

/** A task after a change, and what could not be removed. */
export interface Changed {
  readonly task: Task;
  readonly notes: readonly string[];
}

export function cancelTask(
  opened: OpenProject,
  written: string,
  reason = 'cancelled by a person',
): Promise<Changed> {
  return withBacklog(opened, async (open) => {
    const task = await findTask(open.backlog, written);
    await open.scheduler.cancel(task.id, reason);
    // Its runtime is still at work in there and puts it away itself; direct mode needs the copies for restoring.
    const stays = task.state === 'running' || (task.mode ?? open.mode) === 'direct';
    const notes = stays ? [] : await open.putAway(task);
    return { task: await taskNow(open, task.id), notes };
  });
}

export function requeueTask(
  opened: OpenProject,
  written: string,
  {
    reason = 'put back in line by a person',
    notes,
  }: { readonly reason?: string; readonly notes?: string } = {},
): Promise<Task> {
  return withBacklog(opened, async (open) => {
    const { id } = await findTask(open.backlog, written);
    await open.scheduler.requeue(id, masked(opened, { reason, ...(notes === undefined ? {} : { notes }) }));
    return taskNow(open, id);
  });
}

/** Deletes a task with its runs and events. */
export function removeTask(opened: OpenProject, written: string) {
  return withBacklog(opened, async ({ backlog, putAway }) => {
    const task = await findTask(backlog, written);
    await backlog.remove(task.id);
    return { id: task.id, notes: await putAway(task) };
  });
}

function evidenceOf({ outcome }: TaskHistory['runs'][number]): string[] {
  const report = outcome?.['report'];
  const inspected = inspectionIn(outcome?.['inspected']);
  return [
    ...(isJsonObject(report) ? evidenceLines(report as unknown as VerificationReport) : []),
    ...(inspected ? inspectionLines(inspected) : []),
  ];
}

async function idsOf({ backlog }: OpenBacklog, words: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const word of words) ids.push((await findTask(backlog, word)).id);
  return ids;
}

async function taskNow(open: OpenBacklog, id: string): Promise<Task> {
  const found = await open.backlog.get(id);
  const [task] = found ? await open.described([found]) : [];
  if (task) return task;
  throw new NotFoundError(`Task ${id} was deleted meanwhile.`, {
    next: action('task.list', 'List the tasks'),
  });
}
