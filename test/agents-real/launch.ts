import type { AgentSettings, ExecutionMode } from '../../src/agents/adapter.ts';
import { AdapterRegistry } from '../../src/agents/registry/registry.ts';
import { createRunner } from '../../src/agents/runner/pty.ts';
import type { Runner } from '../../src/agents/runner/runner.ts';
import { createMasker } from '../../src/kernel/mask.ts';
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
}

const registry = new AdapterRegistry();

/** The way every run of loopwright goes: adapter from the registry, then a runner for its mode. */
export function launch({ cli, mode, cwd, env, session, settings, timeoutMs }: Launch): Runner {
  const problems = registry.problems(cli, mode, settings);
  if (problems.length > 0) throw new Error(problems.join(' '));
  const adapter = registry.create(cli, { name: cli, cwd, ...settings });
  const masker = createMasker([]);
  return createRunner(mode, { adapter, cwd, env, masker, marker: { session }, timeoutMs });
}
