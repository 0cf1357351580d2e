import { action } from '../kernel/action.ts';
import { errorMessage, LoopwrightError, StorageError } from '../kernel/errors.ts';
import type { FinalState } from '../orchestrator/final-state.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import type { SessionManager } from '../orchestrator/state/session-manager.ts';
import type { Project } from '../project/place.ts';
import { askQuestion } from './ask.ts';
import { countdown } from './countdown.ts';
import { type Display, openDisplay } from './display/display.ts';
import { Attempts } from './display/steps.ts';
import { reportError } from './errors.ts';
import type { Screen } from './output.ts';
import { resultOfError } from './result-line.ts';
import { RunningStep } from './running-step.ts';
import { closing, sayEndedAtOnce } from './session-end.ts';
import { Stops } from './stops.ts';
import { QuestionDesk } from './tasks/desk.ts';

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
  const answerWith = (task: string): string =>
    run.project.command('answer', orchestrator.sessionId ?? '', '<answer>', '--task', task);
  const watched = { manifest: orchestrator.manifest, attempts: new Attempts(earlier), answerWith };
  const display = await openDisplay(screen, watched, { json });
  const running = new RunningStep();
  const stops = new Stops(screen, {
    interrupt: () => orchestrator.interrupt(),
    lastWord: (exitCode) => {
      running.kill();
      display.close();
      sayEndedAtOnce(run, exitCode);
    },
  });
  const desk = new QuestionDesk(screen, display, {
    send: (task, text) => orchestrator.answer(task, text),
    stop: stops.signal,
  });
  let announced = false;
  const unsubscribe = orchestrator.events.subscribe((event) => {
    if (!announced && !json) run.announce(display, event.session);
    announced = true;
    // A stop that came before the engine was ready would be lost otherwise.
    if (event.type === 'step.started' && stops.requested) queueMicrotask(() => orchestrator.interrupt());
    running.event(event);
    display.event(event);
    if (screen.interactive && !json) desk.event(event);
  });
  try {
    const state = await untilSettled(run, display, stops, begin);
    display.close();
    return { exitCode: await closing(run, { state, stopped: stops.exitCode }), state };
  } catch (error) {
    display.close();
    const exitCode = await failedCode(run, error);
    if (exitCode !== undefined) return { exitCode, state: undefined };
    const wrong = withWayOn(run, error);
    if (!json) throw wrong;
    screen.json(resultOfError(wrong, sessionNow(run)));
    return { exitCode: reportError(screen, wrong), state: undefined };
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

/** A session that failed is a result and has an exit code; anything else went wrong around it. */
async function failedCode(run: SessionRun, error: unknown): Promise<number | undefined> {
  return sessionNow(run).status === 'failed' ? closing(run, { error }) : undefined;
}

function withWayOn(run: SessionRun, error: unknown): unknown {
  const id = run.orchestrator.sessionId;
  if (id === undefined || (error instanceof LoopwrightError && !(error instanceof StorageError)))
    return error;
  const first = error instanceof StorageError ? error.next : undefined;
  return new LoopwrightError(errorMessage(error), {
    next: action('session.resume', `${first?.label ?? 'Every finished step is kept.'} Then go on`, {
      session: id,
    }),
    cause: error,
  });
}

function sessionNow({ orchestrator, sessions }: SessionRun): {
  session: string | null;
  status: string | null;
} {
  const session = orchestrator.sessionId ?? null;
  try {
    return { session, status: session === null ? null : sessions.load(session).state.status };
  } catch (error) {
    // The first error says more than that the session cannot be read either.
    if (error instanceof LoopwrightError) return { session, status: null };
    throw error;
  }
}
