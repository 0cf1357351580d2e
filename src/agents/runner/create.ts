import type { ExecutionMode } from '../adapter.ts';
import { HeadlessRunner } from './headless.ts';
import { AgentRunner } from './pty.ts';
import type { Runner, RunnerOptions } from './runner.ts';

/** Interactive agents get a terminal, headless ones pipes. */
export function createRunner(mode: ExecutionMode, options: RunnerOptions): Runner {
  return mode === 'interactive' ? new AgentRunner(options) : new HeadlessRunner(options);
}
