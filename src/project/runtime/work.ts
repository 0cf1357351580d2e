import type { Role } from '../../config/runtime/settings.ts';
import { UsageError } from '../../kernel/errors.ts';
import { Emitter, type EventStream, HeldEvents } from '../../kernel/events.ts';
import { ROLES } from '../../kernel/runtime-words.ts';
import type { TaskRuntimeEvent } from '../../tasks/run-task.ts';
import { type Ended, work as workOff } from '../../tasks/work.ts';
import { notifierOf } from '../notify/of-session.ts';
import { taskNotification } from '../notify/of-task.ts';
import type { OpenProject } from '../open.ts';
import { refuseInside } from '../runs/nested.ts';
import { capsOf, SpendMeter, waitWords } from '../runs/spend-meter.ts';
import { endAllOrphans } from '../sessions/orphans.ts';
import { checkAreas, checkModel, checkPlace } from './check-place.ts';
import { checkAgentChosen, isChosen } from './choose-agent.ts';
import { type OpenRuntime, openRuntime, taskRuntime } from './open-runtime.ts';
import { RunningTasks } from './running-tasks.ts';
import { type JsonTaskEvent, jsonTaskEvent } from './task-event.ts';

const MOST_AT_ONCE = 64;

export interface WorkRequest {
  readonly role?: Role;
  /** How many tasks at once. */
  readonly concurrency?: number;
  /** End when there is nothing to do, instead of waiting for more. */
  readonly once?: boolean;
}

/** How many runs ended in which state; those that another runtime has now, or that were cancelled, are `let go`. */
export type EndedTasks = { readonly [State in CountedState]?: number };
type CountedState = Ended extends Map<infer State, number> ? State : never;

/** A runtime at work: it claims tasks, runs them, releases them, and waits for more. */
export interface Working {
  readonly id: string;
  readonly role: Role;
  readonly mode: string;
  /** Why it works in this mode, where nobody said so. */
  readonly modeWhy?: string;
  /** Absent where nobody chose one: every task in line names its own. */
  readonly agent?: string;
  readonly concurrency: number;
  readonly warnings: readonly string[];
  /** The first one to listen gets every event from the beginning. */
  readonly events: EventStream<WorkEvent> & AsyncIterable<WorkEvent>;
  readonly ended: Promise<EndedTasks>;
  /** What runs is parked at its checkpoint and given back. */
  stop(): void;
  /** Ends everything at once, without waiting; gives the tasks that were at work. */
  kill(): string[];
}

export type WorkEvent =
  | JsonTaskEvent
  /** Nothing to do, until a time at the latest. Said once, until something happens again. */
  | { readonly type: 'runtime.idle'; readonly until?: number };

export async function work(opened: OpenProject, request: WorkRequest = {}): Promise<Working> {
  refuseInside();
  const { role: wanted, concurrency = 1, once = false } = request;
  refuseUnknownRole(wanted);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MOST_AT_ONCE) {
    throw new UsageError(`"${concurrency}" is not a number of tasks.`, {
      next: `Give a whole number from 1 to ${MOST_AT_ONCE}.`,
    });
  }
  // Before anything is begun: what an earlier process left running when it was killed.
  await endAllOrphans(opened);
  const runtime = openRuntime(opened, { role: wanted });
  const { settings, store } = runtime;
  const role = wanted ?? settings.role;
  const capped = await readyToBegin(runtime, role, once);
  const stopping = new AbortController();
  const running = new RunningTasks();
  const notifier = notifierOf(opened);
  const titles = new Map<string, string>();
  const events = new Emitter<WorkEvent>();
  // Every write of another runtime wakes this one up: that it idles on is no news.
  let saidIdle = false;
  const tell = (event: TaskRuntimeEvent): void => {
    saidIdle = false;
    running.event(event);
    events.emit(jsonTaskEvent(event));
    if (event.type === 'task.claimed') titles.set(event.task, event.claim.task.title);
    const told = taskNotification(event, titles.get(event.task) ?? event.task);
    if (told) notifier.send(told);
  };
  const begin = async (): Promise<EndedTasks> => {
    try {
      const counts = await workOff(taskRuntime(runtime, tell), {
        role,
        concurrency,
        once,
        stop: stopping.signal,
        onIdle: (until) => {
          if (!saidIdle) events.emit({ type: 'runtime.idle', ...(until === undefined ? {} : { until }) });
          saidIdle = true;
        },
      });
      for (const problem of await notifier.settle())
        events.emit({ type: 'task.noted', task: '', note: problem });
      return Object.fromEntries(counts);
    } finally {
      store.close();
    }
  };
  const ended = Promise.resolve().then(begin);
  // Whoever only follows the events need not hear of it twice.
  ended.catch(() => undefined);
  return {
    id: settings.id,
    role,
    mode: settings.repository.mode,
    ...(runtime.modeWhy === undefined ? {} : { modeWhy: runtime.modeWhy }),
    ...(isChosen(opened, role) ? { agent: settings.agents[role] } : {}),
    concurrency,
    warnings: [
      ...(capped ? [`nothing is started before there is more of ${waitWords(capped)}`] : []),
      ...opened.config.refused,
      ...opened.config.runtime.warnings,
    ],
    events: new HeldEvents(events, ended),
    ended,
    stop: () => stopping.abort(),
    kill: () => running.kill(),
  };
}

/** Everything that keeps it from beginning is said before it begins; what the caps leave nothing of is only told. */
async function readyToBegin(runtime: OpenRuntime, role: Role, once: boolean) {
  const { store, opened } = runtime;
  try {
    await checkPlace(runtime, role);
    checkAreas(runtime);
    await checkAgentChosen(runtime, role, { once });
    checkModel(runtime, role);
    return await new SpendMeter(store, capsOf(opened.config.budget)).full();
  } catch (error) {
    store.close();
    throw error;
  }
}

function refuseUnknownRole(role: string | undefined): void {
  if (role === undefined || ROLES.some((known) => known === role)) return;
  throw new UsageError(`"${role}" is not a role.`, { next: `Use one of ${ROLES.join(', ')}.` });
}
