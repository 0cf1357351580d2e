import type { TaskStatus } from '../manifest/task.ts';
import type { JsonEvent } from '../orchestrator/control/json-event.ts';
import type { Halt } from '../orchestrator/state/record.ts';
import type { TrailEntry, Used } from '../orchestrator/state/session-state.ts';
import { activityLine } from './activity.ts';

/**
 * What a face shows of a session that runs, as plain JSON: a terminal, a page or another process gets the same by
 * folding the same events, wherever it began with a state that another one folded.
 */
export interface LiveSession {
  readonly session: string | null;
  readonly status: LiveStatus;
  /** Why it stands where it stands, in words; empty while it runs. */
  readonly reason: string;
  readonly halt: Halt | null;
  readonly parkedUntil: number | null;
  /** The step that runs; null between steps and when the session stands still. */
  readonly running: LiveStep | null;
  readonly last: TrailEntry | null;
  /** How many steps were finished while this was folded. */
  readonly finished: number;
  readonly used: Used;
  /** Of the running step, or of the last one. */
  readonly tasks: readonly LiveStageTask[];
}

export type LiveStatus =
  | 'starting'
  | 'running'
  | 'waiting'
  | 'halted'
  | 'parked'
  | 'completed'
  | 'failed'
  | 'aborted';

export interface LiveStep {
  readonly step: number;
  readonly block: string;
  readonly worker: string;
  readonly since: number;
  /** The end of what it printed. */
  readonly tail: string;
}

export interface LiveStageTask {
  readonly id: string;
  readonly name: string;
  readonly agent: string;
  readonly mode: string;
  readonly status: TaskStatus;
  readonly since: number;
  readonly endedAt: number | null;
  /** The end of what it printed, or what it told last about itself. */
  readonly tail: string;
  /** It tells what it does; its output is not for people. */
  readonly streams: boolean;
  readonly tokens: number;
  readonly usd: number;
  readonly estimated: boolean;
  readonly question: string | null;
  readonly choices: readonly string[];
  /** How many questions it has put so far: tells two equal ones apart. */
  readonly asked: number;
  readonly exit: { readonly code?: number; readonly signal?: string };
  /** Why it has not done what it should; empty while nothing is known against it. */
  readonly problem: string;
}

export const NOT_STARTED: LiveSession = {
  session: null,
  status: 'starting',
  reason: '',
  halt: null,
  parkedUntil: null,
  running: null,
  last: null,
  finished: 0,
  used: { steps: 0, tokens: 0, usd: 0, ms: 0 },
  tasks: [],
};

/** Enough of the end to find the last line in. */
const TAIL = 4096;

/** The state after an event; `now` is whatever clock the face measures with. */
export function foldEvent(state: LiveSession, event: JsonEvent, now: number): LiveSession {
  const { session } = event;
  if ('task' in event) return { ...state, session, tasks: withTask(state.tasks, event, now) };
  switch (event.type) {
    case 'session.started':
    case 'session.continued':
      return { ...state, ...stands('running', ''), session };
    case 'step.started': {
      const { step, block, worker } = event;
      const running = { step, block, worker, since: now, tail: '' };
      return { ...state, ...stands('running', ''), session, running, tasks: [] };
    }
    case 'step.output':
      return {
        ...state,
        running: state.running && { ...state.running, tail: endOf(state.running.tail, event.text) },
      };
    case 'usage.added':
      return { ...state, used: event.total };
    case 'step.finished': {
      const { entry: last, used } = event;
      return { ...state, running: null, last, used, finished: state.finished + 1 };
    }
    case 'session.waiting':
      return { ...state, ...stands('waiting', event.waiting.message), session };
    case 'session.halted':
      return { ...state, ...stands('halted', event.halt.message), halt: event.halt };
    case 'session.parked':
      return { ...state, ...stands('parked', event.reason), parkedUntil: event.until };
    case 'session.completed':
      return { ...state, ...stands('completed', ''), used: event.used };
    case 'session.failed':
      return { ...state, ...stands('failed', event.error.message) };
    case 'session.aborted':
      return { ...state, ...stands('aborted', event.reason) };
    case 'step.progressed':
    case 'limit.reached':
    case 'budget.near':
    case 'session.reachable':
      return { ...state, session };
  }
}

function stands(status: LiveStatus, reason: string) {
  return { status, reason, halt: null, parkedUntil: null, running: null } as const;
}

type TaskEvent = Extract<JsonEvent, { readonly task: string }>;

function withTask(tasks: readonly LiveStageTask[], event: TaskEvent, now: number): readonly LiveStageTask[] {
  const known = tasks.find(({ id }) => id === event.task);
  const before = known && !isRunAgain(known) ? known : newTask(event.task, now);
  const after = changed(before, event, now);
  return known ? tasks.map((task) => (task === known ? after : task)) : [...tasks, after];
}

/** It had ended and waits to be run again: what it was before no longer matters. */
function isRunAgain({ endedAt, status }: LiveStageTask): boolean {
  return endedAt !== null && status === 'PENDING';
}

function newTask(id: string, since: number): LiveStageTask {
  return {
    id,
    name: id,
    agent: '',
    mode: '',
    status: 'PENDING',
    since,
    endedAt: null,
    tail: '',
    streams: false,
    tokens: 0,
    usd: 0,
    estimated: false,
    question: null,
    choices: [],
    asked: 0,
    exit: {},
    problem: '',
  };
}

function changed(task: LiveStageTask, event: TaskEvent, now: number): LiveStageTask {
  switch (event.type) {
    case 'task.started':
      return { ...task, name: event.name, agent: event.agent, mode: event.mode };
    case 'task.output':
      return task.streams ? task : { ...task, tail: endOf(task.tail, event.clean) };
    case 'task.activity':
      // What it says about itself reads better than the stream it says it in.
      return { ...task, streams: true, tail: activityLine(event.event) ?? task.tail };
    case 'task.usage': {
      const { tokens = 0, usd = 0 } = event.usage;
      const estimated = task.estimated || event.estimated;
      return { ...task, tokens: task.tokens + tokens, usd: task.usd + usd, estimated };
    }
    case 'task.interaction':
      return { ...task, question: event.question, choices: event.choices, asked: task.asked + 1 };
    case 'task.status': {
      const { status, exit, problem = '' } = event;
      const ended = status === 'DONE' || status === 'ERROR';
      const asks = status === 'WAITING_FOR_USER' ? {} : { question: null, choices: [] };
      return { ...task, ...asks, status, exit, problem, endedAt: ended ? now : task.endedAt };
    }
  }
}

function endOf(tail: string, more: string): string {
  return (tail + more).slice(-TAIL);
}
