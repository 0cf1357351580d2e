import { dirname, join } from 'node:path';
import type { AgentSettings, ExecutionMode } from '../../src/agents/adapter.ts';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import { createRunner } from '../../src/agents/runner/pty.ts';
import type { Runner, RunnerOptions } from '../../src/agents/runner/runner.ts';
import { createMasker } from '../../src/kernel/mask.ts';
import { hostOfUrl } from '../../src/process/sandbox/host-list.ts';
import { ProjectSandbox } from '../../src/process/sandbox/project-sandbox.ts';
import { findSandbox } from '../../src/process/sandbox/sandbox.ts';
import { agentEnvironment, agentWall } from '../../src/workers/agent/authority.ts';
import type { Cli } from './installed.ts';

export interface Launch {
  readonly cli: Cli;
  readonly mode: ExecutionMode;
  readonly cwd: string;
  readonly env: { readonly [name: string]: string };
  /** Marks the processes of the run, so that those that outlive it are found. */
  readonly session: string;
  readonly settings: AgentSettings;
  readonly timeoutMs: number;
  readonly more?: Pick<RunnerOptions, 'ownWaitMs' | 'sameTool'>;
  readonly home: string;
  readonly modelUrl: string;
}

const registry = new AdapterRegistry();

/** The way every run of loopwright goes: adapter from the registry, its authority, then a runner for its mode. */
export async function launch(wanted: Launch): Promise<Runner> {
  const { cli, mode, cwd, env, session, settings, timeoutMs } = wanted;
  const problems = registry.problems(cli, mode, settings);
  if (problems.length > 0) throw new Error(problems.join(' '));
  const adapter = registry.create(cli, { name: cli, cwd, ...settings });
  const masker = createMasker([]);
  const services = { baseEnv: env, masker, sandbox: sandboxOf(wanted) };
  const around = await agentWall(services, { agent: cli, env: {} }, cwd);
  const given = agentEnvironment(services, cli);
  return createRunner(mode, {
    adapter,
    cwd,
    env: given,
    masker,
    marker: { session },
    timeoutMs,
    wall: around,
    ...wanted.more,
  });
}

/** The CLIs must work inside the wall of this machine: `LOOPWRIGHT_SANDBOX=off` tries them without. */
const level = process.env['LOOPWRIGHT_SANDBOX'] === 'off' ? 'off' : 'standard';
export const wall = level === 'off' ? undefined : (await findSandbox()).sandbox;

function sandboxOf({ home, modelUrl }: Launch): ProjectSandbox {
  const host = hostOfUrl(modelUrl) ?? '';
  return new ProjectSandbox({
    level,
    stateDir: join(dirname(home), 'state'),
    home,
    cacheDir: join(dirname(home), 'cache'),
    gitDir: undefined,
    writable: [],
    network: { agent: [host], program: 'none', check: 'none', setup: 'none' },
  });
}
