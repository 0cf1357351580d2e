import { childEnv } from '../../config/child-env.ts';
import { UsageError } from '../../kernel/errors.ts';
import { createMasker, type Masker } from '../../kernel/mask.ts';
import type { Environment } from '../../process/child-env.ts';
import type { RunnerOptions } from './runner.ts';

/** The options of a run with nothing left open. */
export type RunnerSettings = RunnerOptions & { readonly env: Environment; readonly masker: Masker };

/**
 * Fills in what a caller cannot be expected to make, and refuses the rest by name: a caller in JavaScript has no
 * compiler that would, and what is missing would otherwise show up as a TypeError deep inside a running process.
 */
export function settle(runner: string, options: RunnerOptions): RunnerSettings {
  const given: Partial<RunnerOptions> = options ?? {};
  const problem = problemOf(given);
  if (problem !== undefined) {
    throw new UsageError(`${runner} cannot be made: ${problem}.`, {
      next: 'Pass at least { adapter, cwd }. An adapter is made with new AdapterRegistry().create(name, { name, cwd }).',
    });
  }
  return { ...options, env: given.env ?? childEnv(), masker: given.masker ?? createMasker([]) };
}

function problemOf({ adapter, cwd, masker, ...more }: Partial<RunnerOptions>): string | undefined {
  if (adapter === undefined) return 'the option "adapter" is missing';
  if (typeof adapter.getLaunchConfig !== 'function') return '"adapter" has no getLaunchConfig(mode, prompt)';
  if (cwd === undefined || cwd === '') return 'the option "cwd" is missing';
  if (typeof cwd !== 'string') return '"cwd" must be the path of a folder';
  if (masker !== undefined && typeof masker.stream !== 'function') {
    return '"masker" is not a masker, which createMasker(secrets) makes';
  }
  return restProblem(more);
}

function restProblem(more: Partial<RunnerOptions>): string | undefined {
  const { env, taskEnv, logFile, cancel, size } = more;
  if (!isObject(env ?? {})) return '"env" must be an object of variables';
  if (!isObject(taskEnv ?? {})) return '"taskEnv" must be an object of variables';
  if (typeof (logFile ?? '') !== 'string') return '"logFile" must be the path of a file';
  if (cancel !== undefined && !(cancel instanceof AbortSignal)) return '"cancel" must be an AbortSignal';
  if (size !== undefined && !(size?.columns > 0 && size.rows > 0)) return '"size" must be { columns, rows }';
  for (const name of ['timeoutMs', 'silenceMs', 'quietMs', 'ownWaitMs'] as const) {
    const value = more[name];
    if (value !== undefined && !(value >= 0)) return `"${name}" must be a number of milliseconds`;
  }
  return undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
