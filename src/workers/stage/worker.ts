import { realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { StageParameters, WorkflowTask } from '../../manifest/stages/definition.ts';
import { FAILURE, SUCCESS, type Worker } from '../../manifest/worker.ts';
import { parkOf } from '../agent/blocked.ts';
import { WaitClock } from '../agent/wait-clock.ts';
import { answer, failed, PASS_OR_FAIL } from '../answer.ts';
import type { WorkerServices } from '../services.ts';
import { inWorktree, type StepInTree } from '../step.ts';
import { stageProblems, stageWarnings } from './check.ts';
import { doneBefore, segmentOf, type TaskRecord } from './record.ts';
import { TaskRun } from './task-run.ts';

/**
 * Runs the tasks of a stage side by side. Invariants:
 * 1. A task that is done is not run again when the stage is: its note in the journal counts.
 * 2. When one cannot be started, the others are stopped and wait to be run again.
 * 3. The stage succeeds only when every task ended well, or was called complete by a person.
 */
export function runStage(services: WorkerServices): Worker {
  return {
    signals: PASS_OR_FAIL,
    checkWith: (parameters) => stageProblems(services, parameters),
    warnAboutWith: stageWarnings,
    run: inWorktree(services, 'A stage', async (step) => {
      const { context, run, worktree } = step;
      const problems = stageProblems(services, context.contract.with);
      if (problems.length > 0) return failed(context, run, problems.join('\n'), { in: 'manifest' });
      const { tasks, concurrency = tasks.length } = context.contract.with as unknown as StageParameters;
      const records = doneBefore(tasks, run.earlier);
      const open = tasks.filter((task) => !records.has(task.id));
      const nowhere = await folderProblems(worktree, open);
      if (nowhere.length > 0) {
        for (const { task, problem } of nowhere)
          run.progress({ type: 'task', task, status: 'ERROR', problem });
        const said = nowhere.map(({ task, problem }) => `Task "${task}": ${problem}`);
        return failed(context, run, said.join('\n'));
      }
      for (const { id } of open) run.progress({ type: 'task', task: id, status: 'PENDING' });
      const ended = await runAll(step, { open, concurrency });
      for (const record of ended) records.set(record.task, record);
      const allWell = [...records.values()].every((record) => record.ok);
      const segments = tasks.flatMap(({ id }) => segmentOf(records.get(id)));
      return answer(allWell ? SUCCESS : FAILURE, context, run, ...segments);
    }),
  };
}

async function runAll(
  step: StepInTree,
  { open, concurrency }: { open: readonly WorkflowTask[]; concurrency: number },
): Promise<readonly TaskRecord[]> {
  const { run } = step;
  const clock = new WaitClock(run);
  const crew = new Crew<WorkflowTask, TaskRecord>(concurrency, (task, cancel) =>
    new TaskRun(step, clock).run(task, cancel),
  );
  const { results, error, stopped } = await crew.work(open);
  if (error !== undefined) {
    for (const { id } of stopped) run.progress({ type: 'task', task: id, status: 'PENDING' });
    throw error;
  }
  const waiting = results.flatMap(({ blocked }) => blocked ?? []);
  const first = waiting.toSorted((a, b) => a.until - b.until)[0];
  if (first) run.park(new Date(first.until), `${first.agent}: ${first.reason}`, parkOf(first));
  return results;
}

interface Worked<T, R> {
  readonly results: readonly R[];
  /** Why one of them broke; the others were ended because of it. */
  readonly error?: unknown;
  /** Those that were running or had not begun when it happened. */
  readonly stopped: readonly T[];
}

/** Works off a list, so many at a time. The first that breaks ends the others. */
class Crew<T, R> {
  readonly #size: number;
  readonly #act: (item: T, cancel: AbortSignal) => Promise<R>;

  constructor(size: number, act: (item: T, cancel: AbortSignal) => Promise<R>) {
    this.#size = Math.max(1, size);
    this.#act = act;
  }

  async work(items: readonly T[]): Promise<Worked<T, R>> {
    const results: R[] = [];
    const left = [...items];
    const unfinished = new Set(items);
    const control = new AbortController();
    let broken: { readonly error: unknown } | undefined;
    const hand = async (): Promise<void> => {
      for (let item = left.shift(); item !== undefined && !broken; item = left.shift()) {
        try {
          const result = await this.#act(item, control.signal);
          if (broken) return;
          results.push(result);
          unfinished.delete(item);
        } catch (error) {
          unfinished.delete(item);
          broken ??= { error };
          control.abort();
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#size, items.length) }, hand));
    return broken ? { results, error: broken.error, stopped: [...unfinished] } : { results, stopped: [] };
  }
}

/** Why tasks cannot run where they want to: a folder that is not there, or one that a link leads out of the tree. */
async function folderProblems(
  worktree: string,
  tasks: readonly WorkflowTask[],
): Promise<{ readonly task: string; readonly problem: string }[]> {
  const root = await realpath(worktree);
  const problems = await Promise.all(tasks.map((task) => problemOf(root, task)));
  return tasks.flatMap(({ id: task }, at) => {
    const problem = problems[at];
    return problem === undefined ? [] : [{ task, problem }];
  });
}

async function problemOf(root: string, { cwd }: WorkflowTask): Promise<string | undefined> {
  if (cwd === undefined) return undefined;
  try {
    const real = await realpath(join(root, cwd));
    const way = relative(root, real);
    if (way === '..' || way.startsWith(`..${sep}`)) return `its cwd "${cwd}" leads out of the folder.`;
    return (await stat(real)).isDirectory() ? undefined : `its cwd "${cwd}" is not a folder.`;
  } catch {
    // Whatever the reason, the agent could not be started in it either.
    return `its cwd "${cwd}" does not exist; make it, or let an earlier stage make it.`;
  }
}
