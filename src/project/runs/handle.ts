import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../../config/load-config.ts';
import type { Action } from '../../kernel/action.ts';
import { countdownTo } from '../../kernel/clock.ts';
import { errorMessage, LoopwrightError, StorageError } from '../../kernel/errors.ts';
import { Emitter, type EventStream, HeldEvents } from '../../kernel/events.ts';
import type { ResolvedManifest } from '../../manifest/resolved.ts';
import type { Question, Worker, WorkerFunction } from '../../manifest/worker.ts';
import { type JsonEvent, jsonEvent } from '../../orchestrator/control/json-event.ts';
import type { FinalState } from '../../orchestrator/final-state.ts';
import type { Orchestrator } from '../../orchestrator/orchestrator.ts';
import type { Snapshot } from '../../orchestrator/state/session-reader.ts';
import type { TrailEntry } from '../../orchestrator/state/session-state.ts';
import type { Notifier } from '../notify/notifier.ts';
import { askedNotification, endNotification, notifierOf } from '../notify/of-session.ts';
import type { OpenProject } from '../open.ts';
import { type SessionView, viewOf } from '../sessions/view.ts';
import { RunningStep } from './running-step.ts';

/** How a session stands when its run is over: at its end, or where only a person or time helps. */
export interface SessionResult extends SessionView {
  /** Why it failed. */
  readonly failure?: Error;
  /** What was done after the run, such as removing old sessions. */
  readonly after: readonly string[];
}

/** What whoever started a run decides while it is running. */
export interface RunCompany {
  /** Interrupts the session, which can be resumed then. While it is still being prepared, nothing of it is kept. */
  readonly cancel?: AbortSignal;
  /** Workers that are code of the caller, by name. They win over the roster and the built-in ones. */
  readonly workers?: { readonly [name: string]: Worker | WorkerFunction };
  /** Stay while the session is parked, and continue by itself; otherwise the run ends there. */
  readonly wait?: boolean;
  /** Waits for the time a session is parked until; false ends the run. Without it nothing is shown meanwhile. */
  readonly waitUntil?: (until: number, stop: AbortSignal) => Promise<boolean>;
  /** False: nobody sits in front of it, so an open question halts the session instead of waiting. */
  readonly attended?: boolean;
  /** Answers the question a session halted on; undefined leaves it open. */
  readonly ask?: (question: Question, stop: AbortSignal) => Promise<string | undefined>;
}

/** A session that this process runs. */
export interface RunningSession {
  readonly id: string;
  readonly workflow: string;
  readonly goal: string;
  readonly manifest: ResolvedManifest;
  /** What is odd about the workflow, but not wrong. */
  readonly warnings: readonly string[];
  /** What was made ready for it, in words. */
  readonly notes: readonly string[];
  /** How many uncommitted files of the checkout it does not see. */
  readonly leftOut: number;
  /** The steps it had taken before this run. */
  readonly earlier: readonly TrailEntry[];
  /** The first one to listen gets every event from the beginning. */
  readonly events: AsyncIterable<JsonEvent> & EventStream<JsonEvent>;
  /** Resolves for every end of the session, `failed` included; rejects when it could not be run at all. */
  readonly ended: Promise<SessionResult>;
  /** Ends the running block; the session halts and can be resumed. */
  interrupt(reason?: string): void;
  abort(reason?: string): Promise<void>;
  answer(stageTask: string, text: string): void;
  complete(stageTask: string): Promise<void>;
  stop(stageTask: string): Promise<void>;
  /** Whether there is a session yet: before that, nothing of the run is kept. */
  exists(): boolean;
  /** How somebody finds the session once this process is gone; undefined when it cannot be read. Never waits. */
  leftBehind(): SessionView | undefined;
  /** Kills what the running step has started, at once and without waiting: for a process that is about to end. */
  kill(): void;
}

export interface Start {
  readonly opened: OpenProject;
  readonly orchestrator: Orchestrator;
  readonly id: string;
  readonly workflow: string;
  readonly goal: string;
  /** What is odd about the workflow of a new session, but not wrong. */
  readonly warnings?: readonly string[];
  readonly notes: readonly string[];
  readonly leftOut?: number;
  /** How long somebody is waited for who answers. */
  readonly questionsMs?: number | undefined;
  /** Whether all sessions together may use something again; absent: nobody limits them. */
  readonly mayUse?: () => Promise<boolean>;
  readonly begin: (orchestrator: Orchestrator) => Promise<FinalState>;
  /** After everything, whatever happened; gives what it did, in words. */
  readonly close: (result: 'ran' | 'never-began') => Promise<readonly string[]>;
}

/** Sets a prepared session going. */
export function startSession(start: Start, company: RunCompany): RunningSession {
  const { orchestrator, id, workflow, goal, notes } = start;
  const running = new RunningStep();
  const notifier = notifierOf(start.opened);
  const stop = new AbortController();
  const events = new Emitter<JsonEvent>();
  orchestrator.events.subscribe((event) => {
    running.event(event);
    const said = jsonEvent(event);
    events.emit(said);
    const asked = askedNotification(said, goal);
    if (asked) notifier.send(asked);
    // A stop that came before the engine was ready would be lost otherwise.
    if (event.type === 'step.started' && stop.signal.aborted) queueMicrotask(() => orchestrator.interrupt());
  });
  const earlier =
    orchestrator.sessionId === undefined ? [] : start.opened.sessions.load(id).state.trail.toArray();
  const ended = Promise.resolve().then(() => drive(start, company, stop.signal, notifier));
  // Whoever only follows the events need not hear of it twice.
  ended.catch(() => undefined);
  const interrupt = (reason?: string): void => {
    stop.abort();
    orchestrator.interrupt(reason);
  };
  whenAborted(company.cancel, interrupt, ended);
  return {
    id,
    workflow,
    goal,
    manifest: orchestrator.manifest,
    warnings: start.warnings ?? [],
    notes,
    leftOut: start.leftOut ?? 0,
    earlier,
    events: new HeldEvents(events, ended),
    ended,
    interrupt,
    abort: async (reason) => {
      await orchestrator.abort(reason);
    },
    answer: (stageTask, text) => orchestrator.answer(stageTask, text),
    complete: (stageTask) => orchestrator.completeTask(stageTask),
    stop: (stageTask) => orchestrator.stopTask(stageTask),
    exists: () => orchestrator.sessionId !== undefined,
    leftBehind: () => {
      const snapshot = orchestrator.sessionId === undefined ? undefined : snapshotOf(start.opened, id);
      return snapshot && viewOf({ ...snapshot, ownerAlive: false });
    },
    kill: () => running.kill(),
  };
}

function whenAborted(cancel: AbortSignal | undefined, interrupt: () => void, ended: Promise<unknown>): void {
  if (cancel === undefined) return;
  const heard = (): void => interrupt();
  const forget = (): void => cancel.removeEventListener('abort', heard);
  if (cancel.aborted) heard();
  else cancel.addEventListener('abort', heard, { once: true });
  ended.then(forget, forget);
}

async function drive(
  start: Start,
  company: RunCompany,
  stop: AbortSignal,
  notifier: Notifier,
): Promise<SessionResult> {
  const { orchestrator, opened, id } = start;
  let failure: Error | undefined;
  try {
    await untilSettled(start, company, stop, (view) => tellEnd(notifier, view));
  } catch (error) {
    const failed = orchestrator.sessionId !== undefined && snapshotOf(opened, id)?.state.status === 'failed';
    if (!failed) {
      await start.close(orchestrator.sessionId === undefined ? 'never-began' : 'ran');
      throw withWayOn(orchestrator.sessionId, error);
    }
    failure = error instanceof Error ? error : new Error(errorMessage(error));
  }
  const closed = await start.close('ran');
  const view = viewOf(opened.sessions.load(id));
  tellEnd(notifier, view);
  const after = [...closed, ...(await notifier.settle())];
  return { ...view, after, ...(failure === undefined ? {} : { failure }) };
}

/** Drives a session to its end, or to the point where only a person or time helps. */
async function untilSettled(
  { orchestrator, opened, id, begin, questionsMs, mayUse }: Start,
  company: RunCompany,
  stop: AbortSignal,
  tell: (view: SessionView) => void,
): Promise<void> {
  const { wait = false, waitUntil = sleepUntil, ask } = company;
  let state = await begin(orchestrator);
  for (;;) {
    if (stop.aborted) return;
    if (state.status === 'parked' && state.parkedUntil !== null && wait) {
      const parked = opened.sessions.load(id);
      tell(viewOf(parked));
      const raised = parked.state.raise ? mayUse : undefined;
      if (!(await waitOrRaised(state.parkedUntil, stop, { waitUntil, raised }))) return;
      state = await orchestrator.resume();
    } else if (state.halt?.question && !state.halt.unanswered && ask) {
      const answer = await ask(state.halt.question, patiently(stop, questionsMs));
      if (answer === undefined) return;
      state = await orchestrator.resume({ answer });
    } else return;
  }
}

function tellEnd(notifier: Notifier, view: SessionView): void {
  const ended = endNotification(view, notifier.parkedMs);
  if (ended) notifier.send(ended);
}

function patiently(stop: AbortSignal, ms: number | undefined): AbortSignal {
  return ms === undefined ? stop : AbortSignal.any([stop, AbortSignal.timeout(ms)]);
}

/** How long an open question waits for somebody; undefined: as long as it takes. */
export function patienceOf(
  { questions }: Pick<Config, 'questions'>,
  { attended, noWait }: { readonly attended?: boolean; readonly noWait?: boolean },
): number | undefined {
  if (noWait) return 0;
  if (questions.minutes !== undefined) return questions.minutes * MINUTE;
  return attended === false ? 0 : undefined;
}

const MINUTE = 60_000;

async function sleepUntil(until: number, stop: AbortSignal): Promise<boolean> {
  const left = countdownTo(until);
  while (!stop.aborted && left() > 0) {
    // In pieces: a laptop that slept wakes up late, and a clock may be set.
    await pause(Math.min(left(), 60_000), undefined, { signal: stop }).catch(() => undefined);
  }
  return !stop.aborted;
}

/** How often it is looked whether a person has let today use more. */
const LOOK_MS = 1000;

/** Until the time, or until what is waited for was given before: a person may raise a limit at any moment. */
async function waitOrRaised(
  until: number,
  stop: AbortSignal,
  { waitUntil, raised }: { waitUntil: NonNullable<RunCompany['waitUntil']>; raised: Start['mayUse'] },
): Promise<boolean> {
  if (!raised) return waitUntil(until, stop);
  const over = new AbortController();
  let isRaised = false;
  const look = async (): Promise<void> => {
    while (!over.signal.aborted) {
      isRaised = await raised();
      if (isRaised) return over.abort();
      await pause(LOOK_MS, undefined, { signal: over.signal }).catch(() => undefined);
    }
  };
  const [waited] = await Promise.all([
    waitUntil(until, AbortSignal.any([stop, over.signal])).finally(() => over.abort()),
    look(),
  ]);
  return !stop.aborted && (waited || isRaised);
}

/** The first error says more than that the session cannot be read either. */
function snapshotOf({ sessions }: OpenProject, id: string): Snapshot | undefined {
  try {
    return sessions.load(id);
  } catch (error) {
    if (error instanceof LoopwrightError) return undefined;
    throw error;
  }
}

function withWayOn(id: string | undefined, error: unknown): unknown {
  if (id === undefined || (error instanceof LoopwrightError && !(error instanceof StorageError)))
    return error;
  const first = error instanceof StorageError ? error.next?.label : undefined;
  const next: Action = {
    id: 'session.resume',
    label: `${first ?? 'Every finished step is kept.'} Then resume it`,
    with: { session: id },
  };
  return error instanceof StorageError
    ? new StorageError(error.message, { next, cause: error })
    : new LoopwrightError(errorMessage(error), { next, cause: error });
}
