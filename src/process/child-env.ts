import { delimiter, join } from 'node:path';

export const SESSION_MARKER = 'LOOPWRIGHT_SESSION';
export const EPOCH_MARKER = 'LOOPWRIGHT_EPOCH';
export const STEP_MARKER = 'LOOPWRIGHT_STEP';
export const TASK_MARKER = 'LOOPWRIGHT_TASK';
/** Lets an agent that its owner trusts with it start and steer sessions of its own. */
export const NESTED_ALLOWED = 'LOOPWRIGHT_ALLOW_NESTED';

/**
 * Which step a process works for, and for which owner of the session: after a takeover the same step runs again
 * in a later epoch. What is left out means any.
 */
export interface StepMarker {
  readonly session: string;
  readonly epoch?: number;
  readonly step?: number;
  /** One of several processes of a step that run side by side. */
  readonly task?: string;
}

export type Environment = { readonly [name: string]: string | undefined };

/** What a search path falls back to where the environment has none. */
const STANDARD_PATH = '/usr/local/bin:/usr/bin:/bin';

export function childEnvironment(base: Environment, cwd: string, marker?: StepMarker): Environment {
  const env = withToolsFirst(base, cwd);
  if (!marker) return env;
  // Undefined takes out what we ourselves were started with: inside a step, loopwright is a child too.
  return {
    ...env,
    [SESSION_MARKER]: marker.session,
    [EPOCH_MARKER]: marker.epoch?.toString(),
    [STEP_MARKER]: marker.step?.toString(),
    [TASK_MARKER]: marker.task,
  };
}

/** Tools that a project installed for itself are found before those of the machine. */
export function withToolsFirst(base: Environment, projectDir: string): Environment {
  const own = join(projectDir, 'node_modules', '.bin');
  const rest = (base['PATH'] ?? STANDARD_PATH).split(delimiter).filter((folder) => folder !== own);
  return { ...base, PATH: [own, ...rest].join(delimiter) };
}
