import type { AgentSettings } from '../../agents/adapter.ts';
import { type AgentOutcome, OutcomeFold } from '../../agents/run-agent.ts';
import { adaptersOf } from '../services.ts';
import type { Step } from '../step.ts';
import { conversationJson } from './agent-run.ts';
import type { AgentTask } from './job.ts';
import { jobRunner } from './job-runner.ts';
import { type EndedBy, RunningJob } from './running-job.ts';
import { streamLogName } from './stream-log.ts';
import type { WaitClock } from './wait-clock.ts';

export interface JobEnd {
  readonly outcome: AgentOutcome;
  readonly by: EndedBy;
}

/** Ended with the step and not by itself or by a person: such a run has not happened. */
export function wasCut({ outcome, by }: JobEnd): boolean {
  return by === 'itself' && outcome.end.kind === 'stopped';
}

/** A CLI that can hold a limit of money itself is given what is left of the session's, which is the smaller one. */
function withinBudget(services: Step['services'], job: AgentTask, left: number | undefined): AgentSettings {
  const { settings, agent, mode } = job;
  if (left === undefined || left >= (settings.maxUsd ?? Number.POSITIVE_INFINITY)) return settings;
  const { permissions = 'edits' } = settings;
  const problems = adaptersOf(services).problems(agent, mode, { permissions, maxUsd: left });
  return problems.length === 0 && left > 0 ? { ...settings, maxUsd: left } : settings;
}

/**
 * Runs one agent as a task of the step: its status is journaled, its output goes to the watchers, people can
 * reach it. Rejects when it cannot be started; however it ends otherwise is a value.
 */
export async function runJob(
  { services, context, run }: Step,
  job: AgentTask,
  clock: WaitClock,
): Promise<JobEnd> {
  const { session_id: session, epoch, step, worktree_path: worktree = job.cwd } = context.system_metadata;
  const { task, mode } = job;
  const settings = withinBudget(services, job, run.left?.usd);
  const logFile = run.logFile(mode === 'headless' ? streamLogName(task, job.agent, settings) : `${task}.log`);
  const { runner, close } = await jobRunner(
    services,
    { ...job, settings, cancel: job.cancel ?? run.cancel },
    { worktree, marker: { session, epoch, step, task }, logFile, sameTool: run.sameTool },
  );
  const mask = (text: string) => services.masker.mask(text);
  const live = new RunningJob(run, job, runner, { session, clock, mask });
  const fold = new OutcomeFold();
  runner.events.subscribe((event) => {
    fold.add(event);
    live.heard(event);
    // At once: whoever goes on after we were killed finds the agent's own conversation.
    if (event.type === 'agent' && event.event.type === 'session') {
      const conversation = conversationJson(runner.conversation ?? { id: event.event.id });
      run.progress({ type: 'conversation', task, agent: job.agent, conversation });
    }
  });
  try {
    const process = await runner.start(job.prompt, job.extraArgs);
    live.started(process);
    const end = await runner.ended;
    return { outcome: fold.end(runner, end), by: live.endedBy };
  } finally {
    live.close();
    await close();
  }
}
