import { join } from 'node:path';
import { plainFilesIn } from '../../../process/plain-file.ts';
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
  const names = plainFilesIn(folder).filter(
    (name) => step === undefined || Number.parseInt(name, 10) === step,
  );
  return { session, files: names.map((name) => join(folder, name)) };
}
