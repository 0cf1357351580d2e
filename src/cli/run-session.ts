import { errorMessage, LoopwrightError, StorageError } from '../kernel/errors.ts';
import type { FinalState } from '../orchestrator/final-state.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import type { SessionManager } from '../orchestrator/state/session-manager.ts';
import { askQuestion } from './ask.ts';
import { countdown } from './countdown.ts';
import { type Display, openDisplay } from './display/display.ts';
import { Attempts } from './display/steps.ts';
import type { Screen } from './output.ts';
import type { Project } from './project.ts';
import { closing } from './session-end.ts';
import { Stops } from './stops.ts';

export interface SessionRun {
  readonly screen: Screen;
  readonly project: Project;
  readonly orchestrator: Orchestrator;
  readonly sessions: SessionManager;
  readonly json: boolean;
  /** Stay while the session is parked. */
  readonly wait: boolean;
  /** Called when the session is known, before the first step. */
  readonly announce: (display: Display, sessionId: string) => void;
  /** Called when it has completed, before the next command is named. */
  readonly completed?: () => Promise<void>;
  /** A hint that would help here, for the command that is printed. */
  readonly guidance?: string;
}

export interface SessionEnd {
  readonly exitCode: number;
  /** Undefined when it failed. */
  readonly state: FinalState | undefined;
}

/** Drives one session to its end, or to the point where only a person or time helps, and shows it. */
export async function runSession(
  run: SessionRun,
  begin: (orchestrator: Orchestrator) => Promise<FinalState>,
): Promise<SessionEnd> {
  const { screen, orchestrator, sessions, json } = run;
  const earlier =
    orchestrator.sessionId === undefined ? [] : sessions.load(orchestrator.sessionId).state.trail.toArray();
  const watched = { manifest: orchestrator.manifest, attempts: new Attempts(earlier) };
  const display = await openDisplay(screen, watched, { json });
  const stops = new Stops(screen, () => orchestrator.interrupt());
  let announced = false;
  const unsubscribe = orchestrator.events.subscribe((event) => {
    if (!announced && !json) run.announce(display, event.session);
    announced = true;
    // A stop that came before the engine was ready would be lost otherwise.
    if (event.type === 'step.started' && stops.requested) queueMicrotask(() => orchestrator.interrupt());
    display.event(event);
  });
  try {
    const state = await untilSettled(run, display, stops, begin);
    display.close();
    return { exitCode: await closing(run, { state, stopped: stops.exitCode }), state };
  } catch (error) {
    display.close();
    return { exitCode: await afterError(run, error), state: undefined };
  } finally {
    unsubscribe();
    stops.close();
  }
}

async function untilSettled(
  run: SessionRun,
  display: Display,
  stops: Stops,
  begin: (orchestrator: Orchestrator) => Promise<FinalState>,
): Promise<FinalState> {
  const { orchestrator, screen, json, wait } = run;
  let state = await begin(orchestrator);
  for (;;) {
    if (stops.requested) return state;
    if (state.status === 'parked' && state.parkedUntil !== null && wait) {
      const came = await countdown(display, state.parkedUntil, stops.signal);
      if (!came) return state;
      state = await orchestrator.resume();
    } else if (state.halt?.question && screen.interactive && !json) {
      display.pause();
      const answer = await askQuestion(screen, state.halt.question, stops.signal);
      if (answer === undefined) return state;
      state = await orchestrator.resume({ answer });
    } else return state;
  }
}

/** A session that failed is a result; anything else went wrong around it and goes up. */
async function afterError(run: SessionRun, error: unknown): Promise<number> {
  const id = run.orchestrator.sessionId;
  if (id === undefined) throw error;
  if (statusOf(run, id) === 'failed') return closing(run, { error });
  if (error instanceof LoopwrightError && !(error instanceof StorageError)) throw error;
  const first = error instanceof StorageError ? error.next : undefined;
  throw new LoopwrightError(errorMessage(error), {
    next: `${first ?? 'Every finished step is kept.'} Then: \`${run.project.command('resume', id)}\``,
    cause: error,
  });
}

function statusOf(run: SessionRun, id: string): string | undefined {
  try {
    return run.sessions.load(id).state.status;
  } catch (error) {
    // The first error says more than that the session cannot be read either.
    if (error instanceof LoopwrightError) return undefined;
    throw error;
  }
}
