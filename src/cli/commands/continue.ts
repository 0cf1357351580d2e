import { oneLine } from '../../kernel/words.ts';
import type { FinalState } from '../../orchestrator/final-state.ts';
import { Orchestrator, type ResumeOptions } from '../../orchestrator/orchestrator.ts';
import { filesOfSession } from '../../project/files/session-workspace.ts';
import { openProject, type ProjectServices, servicesFor } from '../../project/open.ts';
import type { Roster } from '../../project/runs/roster.ts';
import { findSession } from '../../project/sessions/list.ts';
import { refuseTaskSession } from '../../project/sessions/task-session.ts';
import { fromRecord } from '../../workers/registry.ts';
import { withRoster } from '../../workers/workers-for.ts';
import { parseBudget } from '../option-values.ts';
import type { Screen } from '../output.ts';
import { runSession } from '../run-session.ts';

export interface ContinueCommandOptions {
  readonly guidance?: string;
  readonly answer?: string;
  readonly budget?: string;
  readonly takeOver?: true;
  readonly dir?: string;
  readonly wait: boolean;
  readonly json?: true;
}

export type How = 'resume' | 'retry' | 'step';

/** Sets a stored session going again, with the manifest it was started with. */
export async function continueSession(
  screen: Screen,
  how: How,
  written: string | undefined,
  options: ContinueCommandOptions,
): Promise<number> {
  const given = resumeOptions(how, options);
  const opened = openProject(options.dir);
  const { project } = opened;
  const id = findSession(opened.services.sessions, written);
  const { session, state } = opened.services.sessions.load(id);
  refuseTaskSession(state, project);
  const files = await filesOfSession(opened, state, { noWait: !options.wait });
  const services = withCurrentWorkers(servicesFor(opened, files.services), opened.config.workers);
  const orchestrator = Orchestrator.open(id, services);
  try {
    const { exitCode } = await runSession(
      {
        screen,
        project,
        orchestrator,
        sessions: services.sessions,
        json: options.json ?? false,
        wait: options.wait,
        announce: (display) => {
          const { bold, dim } = screen.style;
          display.line(`${bold(oneLine(session.goal))}  ${dim(`${how} of session ${id}`)}`);
          for (const note of files.notes) display.line(dim(note));
        },
      },
      (engine) => begin(engine, how, given),
    );
    return exitCode;
  } finally {
    files.close();
  }
}

/**
 * The manifest of a session is frozen, but a program that was configured wrongly must be correctable: what the
 * project says now about its workers wins over what it said at the start.
 */
function withCurrentWorkers(services: ProjectServices, workers: Roster): ProjectServices {
  return { ...services, workers: withRoster(fromRecord({}), workers, services) };
}

/** `resume` leaves stepping mode, `step` stays in it or enters it, `retry` does not touch it. */
function resumeOptions(how: How, options: ContinueCommandOptions): ResumeOptions {
  const { guidance, answer, budget, takeOver } = options;
  return {
    ...(guidance === undefined ? {} : { guidance }),
    ...(answer === undefined ? {} : { answer }),
    ...(budget === undefined ? {} : { budget: parseBudget(budget) }),
    ...(takeOver === undefined ? {} : { takeOver }),
    ...(how === 'retry' ? {} : { stepping: how === 'step' }),
  };
}

function begin(engine: Orchestrator, how: How, given: ResumeOptions): Promise<FinalState> {
  return how === 'retry' ? engine.retry(given) : engine.resume(given);
}
