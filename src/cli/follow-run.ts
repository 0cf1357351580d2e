import { setTimeout as pause } from 'node:timers/promises';
import { countdownTo } from '../kernel/clock.ts';
import { deferred } from '../kernel/deferred.ts';
import { duration } from '../kernel/words.ts';
import type { Project } from '../project/project.ts';
import type { RunCompany, RunningSession } from '../project/runs/handle.ts';
import { askQuestion } from './ask.ts';
import { type Cli, commandFor } from './cli.ts';
import { type Display, openDisplay } from './display/display.ts';
import { Attempts } from './display/steps.ts';
import { reportError, resultOfError } from './errors.ts';
import { closing, sayEndedAtOnce } from './session-end.ts';
import { Stops } from './stops.ts';
import { QuestionDesk } from './tasks/desk.ts';

export interface Followed {
  readonly project: Project;
  readonly json: boolean;
  /** Stay while the session is parked. */
  readonly wait: boolean;
  /** Somebody answers from elsewhere, so that a question waits for them. */
  readonly attended?: boolean;
  /** Called when the session is known, before the first step. */
  readonly announce: (display: Display, run: RunningSession) => void;
  /** Called when it has completed, before the next command is named. */
  readonly completed?: () => Promise<void>;
  /** A hint that would help here, for the command that is printed. */
  readonly guidance?: string;
}

/** What a run is started with: who it asks, how it waits, and what ends it. */
export type Company = RunCompany & { readonly cancel: AbortSignal };

/** Starts a run and shows it until its end, or to the point where only a person or time helps; the exit code. */
export async function followRun(
  cli: Cli,
  followed: Followed,
  start: (company: Company) => Promise<RunningSession>,
): Promise<number> {
  const { screen } = cli;
  let run: RunningSession | undefined;
  let display: Display | undefined;
  // A session may ask or park before there is something to show it on.
  const shown = deferred<Display>();
  const stops = new Stops(screen, {
    interrupt: () => run?.interrupt(),
    lastWord: (exitCode) => {
      run?.kill();
      display?.close();
      if (run) sayEndedAtOnce(cli, followed, run, exitCode);
    },
  });
  try {
    const company = companyOf(cli, followed, stops, shown.promise);
    run = await start(company);
    display = await displayOf(cli, followed, run);
    shown.resolve(display);
    return await follow(cli, followed, { run, display, stops });
  } catch (error) {
    if (run !== undefined || stops.exitCode === undefined) throw error;
    screen.error('interrupted before the session began: nothing was kept');
    return stops.exitCode;
  } finally {
    stops.close();
  }
}

/** Asks and waits on the screen where somebody sits in front of it. */
function companyOf(
  { screen }: Cli,
  { wait, json, attended: elsewhere = false }: Followed,
  stops: Stops,
  shown: Promise<Display>,
): Company {
  const attended = screen.interactive && !json && wait;
  const company: Company = {
    cancel: stops.signal,
    wait,
    attended: attended || elsewhere,
    waitUntil: async (until, stop) => countdown(await shown, until, stop),
  };
  if (!attended) return company;
  return {
    ...company,
    ask: async (question, stop) => {
      (await shown).pause();
      return askQuestion(screen, question, stop);
    },
  };
}

function displayOf({ screen }: Cli, { project, json }: Followed, run: RunningSession): Promise<Display> {
  return openDisplay(
    screen,
    {
      manifest: run.manifest,
      attempts: new Attempts(run.earlier),
      answerWith: (task) => commandFor(project, 'answer', run.id, '<answer>', '--task', task),
    },
    { json },
  );
}

interface Following {
  readonly run: RunningSession;
  readonly display: Display;
  readonly stops: Stops;
}

async function follow(cli: Cli, followed: Followed, { run, display, stops }: Following): Promise<number> {
  const { screen } = cli;
  const { json } = followed;
  const desk = new QuestionDesk(screen, display, {
    send: (task, text) => run.answer(task, text),
    stop: stops.signal,
  });
  let announced = false;
  const unsubscribe = run.events.subscribe((event) => {
    if (!announced && !json) followed.announce(display, run);
    announced = true;
    display.event(event);
    if (screen.interactive && !json) desk.event(event);
    if (event.type === 'task.interaction') screen.notify?.('loopwright: a question', event.question);
  });
  if (stops.requested) run.interrupt();
  try {
    const result = await run.ended;
    display.close();
    if (!json) screen.notify?.(`loopwright: ${result.word}`, result.halt?.message ?? result.goal);
    return await closing(cli, followed, result, stops.exitCode);
  } catch (error) {
    display.close();
    if (!json) throw error;
    const status = run.leftBehind()?.status ?? null;
    cli.json(resultOfError(error, { session: run.exists() ? run.id : null, status }));
    return reportError(screen, error);
  } finally {
    unsubscribe();
  }
}

const TICK_MS = 1000;

/** Waits until the time has come; false when it was asked to stop before. */
async function countdown(display: Display, until: number, stop: AbortSignal): Promise<boolean> {
  try {
    const remaining = countdownTo(until);
    for (;;) {
      const left = remaining();
      const at = new Date(until).toLocaleTimeString();
      display.waiting(`Parked until ${at}; continuing by itself in ${duration(left)}`);
      if (left === 0) break;
      await pause(Math.min(left, TICK_MS), undefined, { signal: stop });
    }
    return true;
  } catch (error) {
    if (stop.aborted) return false;
    throw error;
  } finally {
    display.pause();
  }
}
