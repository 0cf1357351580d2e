import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentSettings } from '../../agents/adapter.ts';
import { type AgentOutcome, OutcomeFold } from '../../agents/run-agent.ts';
import { createRunner } from '../../agents/runner/pty.ts';
import { withToolsFirst } from '../../process/child-env.ts';
import { adaptersOf } from '../services.ts';
import type { Step } from '../step.ts';
import { conversationJson } from './agent-run.ts';
import { agentEnvironment, agentWall } from './authority.ts';
import type { AgentTask } from './job.ts';
import { agentProgram } from './program.ts';
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
  const { task, mode, cwd, env, timeoutMs, silenceMs } = job;
  const settings = withinBudget(services, job, run.left?.usd);
  // Inside the folder, where every agent may read, and where git does not look.
  const filesDir = join(worktree, '.loopwright', 'prompts', `${session}-${task}`);
  const { prices } = services;
  const adapter = adaptersOf(services).create(job.agent, {
    name: job.name,
    cwd,
    env,
    filesDir,
    ...(prices === undefined ? {} : { prices }),
    ...settings,
  });
  const logFile = run.logFile(mode === 'headless' ? streamLogName(task, job.agent, settings) : `${task}.log`);
  const runner = createRunner(mode, {
    adapter,
    cwd,
    env: withToolsFirst(agentEnvironment(services, job.agent), worktree),
    wall: await agentWall(services, job, worktree),
    taskEnv: env,
    program: (command) => agentProgram(services, job.agent, { command, worktree }),
    masker: services.masker,
    marker: { session, epoch, step, task },
    cancel: job.cancel ?? run.cancel,
    ...(logFile === undefined ? {} : { logFile }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(run.sameTool === undefined ? {} : { sameTool: run.sameTool }),
  });
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
    await rm(filesDir, { recursive: true, force: true });
  }
}
