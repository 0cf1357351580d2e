import { delimiter, join } from 'node:path';

export const SESSION_MARKER = 'LOOPWRIGHT_SESSION';
export const STEP_MARKER = 'LOOPWRIGHT_STEP';

/** Which step a process works for. Without a step: any of the session. */
export interface StepMarker {
  readonly session: string;
  readonly step?: number;
}

export type Environment = { readonly [name: string]: string | undefined };

/** What a search path falls back to where the environment has none. */
const STANDARD_PATH = '/usr/local/bin:/usr/bin:/bin';

export function childEnvironment(base: Environment, cwd: string, marker?: StepMarker): Environment {
  const env = withToolsFirst(base, cwd);
  if (!marker) return env;
  const step = marker.step === undefined ? {} : { [STEP_MARKER]: String(marker.step) };
  return { ...env, [SESSION_MARKER]: marker.session, ...step };
}

/** Tools that a project installed for itself are found before those of the machine. */
export function withToolsFirst(base: Environment, projectDir: string): Environment {
  const own = join(projectDir, 'node_modules', '.bin');
  const rest = (base['PATH'] ?? STANDARD_PATH).split(delimiter).filter((folder) => folder !== own);
  return { ...base, PATH: [own, ...rest].join(delimiter) };
}
