import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../../kernel/errors.ts';
import type { OpenProject } from '../../open.ts';
import { findSession } from '../list.ts';

export interface LogFiles {
  readonly session: string;
  readonly files: readonly string[];
}

/** The files with the full output of the processes of a session; of one step when a step is named. */
export async function logFiles(
  { project, sessions }: OpenProject,
  written: string | undefined,
  step?: number,
): Promise<LogFiles> {
  const session = findSession(sessions, written);
  const folder = join(project.sessions, session, 'logs');
  const names = namesIn(folder).filter((name) => step === undefined || Number.parseInt(name, 10) === step);
  return { session, files: names.map((name) => join(folder, name)) };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
