import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createRunner } from '../../agents/runner/pty.ts';
import type { Runner } from '../../agents/runner/runner.ts';
import { type StepMarker, withToolsFirst } from '../../process/child-env.ts';
import { adaptersOf, type WorkerServices } from '../services.ts';
import { agentEnvironment, agentWall } from './authority.ts';
import type { AgentTask } from './job.ts';
import { agentProgram } from './program.ts';

interface JobSurroundings {
  /** The top of what it works on. */
  readonly worktree: string;
  readonly marker: StepMarker;
  readonly logFile: string | undefined;
  readonly sameTool?: number | undefined;
}

/** The process of one agent, ready to be started, with no more than an agent is given; `close` once it has ended. */
export async function jobRunner(
  services: WorkerServices,
  job: AgentTask,
  { worktree, marker, logFile, sameTool }: JobSurroundings,
): Promise<{ readonly runner: Runner; readonly close: () => Promise<void> }> {
  const { agent, mode, cwd, env, settings, cancel, timeoutMs, silenceMs } = job;
  const { prices } = services;
  // Inside the folder, where every agent may read, and where git does not look.
  const filesDir = join(worktree, '.loopwright', 'prompts', `${marker.session}-${job.task}`);
  const adapter = adaptersOf(services).create(agent, {
    name: job.name,
    cwd,
    env,
    filesDir,
    ...(prices === undefined ? {} : { prices }),
    ...settings,
  });
  const runner = createRunner(mode, {
    adapter,
    cwd,
    env: withToolsFirst(agentEnvironment(services, agent), worktree),
    wall: await agentWall(services, job, worktree),
    taskEnv: env,
    program: (command) => agentProgram(services, agent, { command, worktree }),
    masker: services.masker,
    marker,
    ...(cancel === undefined ? {} : { cancel }),
    ...(logFile === undefined ? {} : { logFile }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(sameTool === undefined ? {} : { sameTool }),
  });
  return { runner, close: () => rm(filesDir, { recursive: true, force: true }) };
}
