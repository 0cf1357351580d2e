import type { Budget } from '../../manifest/definition.ts';
import type { ResumeOptions } from '../../orchestrator/engine/continuation.ts';
import { Orchestrator } from '../../orchestrator/orchestrator.ts';
import { fromRecord } from '../../workers/registry.ts';
import { withRoster } from '../../workers/workers-for.ts';
import { guardOf, refuseOnce } from '../files/guard.ts';
import { filesOfSession } from '../files/session-workspace.ts';
import type { OpenProject } from '../open.ts';
import { findSession } from '../sessions/list.ts';
import { refuseTaskSession } from '../sessions/task-session.ts';
import { requireBudgetHolds } from './budget-holds.ts';
import { patienceOf, type RunCompany, type RunningSession, startSession } from './handle.ts';
import { pathRules, requirePaths } from './path-rules.ts';
import { openedMeter } from './spend-meter.ts';
import { takeUp } from './take-up.ts';

export interface ContinueRequest extends RunCompany {
  /** What the next worker should know. */
  readonly guidance?: string | undefined;
  /** The answer to the question the session halted on. */
  readonly answer?: string | undefined;
  /** Replaces the named parts of its budget. */
  readonly budget?: Budget | undefined;
  /** Take the session even from a process that still runs it. */
  readonly takeOver?: boolean | undefined;
  /** Take up the workflow as it stands in its file now, in place of the one the session was started with. */
  readonly manifest?: 'current' | undefined;
  /** Files that it may change after all, from the top of its files. */
  readonly allow?: readonly string[];
  /** End instead of waiting for other sessions. */
  readonly noWait?: boolean;
}

export type How = 'resume' | 'retry' | 'step';

/**
 * Sets a stored session going again, with the manifest it was started with or took up since. `resume` leaves stepping mode, `step`
 * stays in it or enters it, `retry` runs the block that halted or failed once more and does not touch the mode.
 */
export async function continueSession(
  opened: OpenProject,
  how: How,
  written: string | undefined,
  request: ContinueRequest = {},
): Promise<RunningSession> {
  const given = resumeOptions(how, request);
  requirePaths(request);
  const id = findSession(opened.sessions, written);
  const { session, state } = opened.sessions.load(id);
  refuseTaskSession(state);
  refuseOnce(opened, id);
  const taken = request.manifest === undefined ? [] : await takeUp(opened, state);
  const guard = guardOf(opened, id, state.status);
  const files = await filesOfSession(opened, state, { noWait: request.noWait ?? false });
  const meter = await openedMeter(opened.config, id, { ...state.budget, ...request.budget }).catch(
    (error: unknown) => {
      files.close();
      throw error;
    },
  );
  const questionsMs = patienceOf(opened.config, request);
  const patience = questionsMs === undefined ? {} : { questionsMs };
  const paths = pathRules(opened);
  const services = { ...opened.services, ...files.services, guard, spend: meter, paths, ...patience };
  // The manifest of a session is frozen, but a program that was configured wrongly must be correctable: what the
  // project says now about its workers wins over what it said at the start.
  const workers = withRoster(fromRecord(request.workers ?? {}), opened.config.workers, services);
  const orchestrator = Orchestrator.open(id, { ...services, workers });
  requireBudgetHolds(orchestrator.manifest, { ...state.budget, ...request.budget }, opened);
  return startSession(
    {
      opened,
      orchestrator,
      id,
      goal: session.goal,
      questionsMs,
      mayUse: async () => (await meter.full()) === undefined,
      workflow: session.workflow ?? '',
      notes: [...taken, ...files.notes],
      begin: (engine) => (how === 'retry' ? engine.retry(given) : engine.resume(given)),
      close: async () => {
        await meter.end(id);
        files.close();
        return [];
      },
    },
    request,
  );
}

export const resume = (opened: OpenProject, written?: string, request?: ContinueRequest) =>
  continueSession(opened, 'resume', written, request);

export const retry = (opened: OpenProject, written?: string, request?: ContinueRequest) =>
  continueSession(opened, 'retry', written, request);

export const step = (opened: OpenProject, written?: string, request?: ContinueRequest) =>
  continueSession(opened, 'step', written, request);

function resumeOptions(
  how: How,
  { guidance, answer, budget, takeOver, allow }: ContinueRequest,
): ResumeOptions {
  return {
    ...(allow === undefined ? {} : { allow }),
    ...(guidance === undefined ? {} : { guidance }),
    ...(answer === undefined ? {} : { answer }),
    ...(budget === undefined ? {} : { budget }),
    ...(takeOver === undefined ? {} : { takeOver }),
    ...(how === 'retry' ? {} : { stepping: how === 'step' }),
  };
}
