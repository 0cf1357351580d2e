import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';
import type { Environment } from './child-env.ts';

/** The file that a command names, as the system would look for it; rejects with the system's error. */
export async function findProgram(command: string, cwd: string, env: Environment): Promise<string> {
  if (command === '') throw new Error('the command is empty');
  if (command.includes('/')) return runnable(resolve(cwd, command), command);
  let problem: unknown;
  for (const folder of (env['PATH'] ?? '').split(delimiter)) {
    try {
      return await runnable(resolve(cwd, folder, command), command);
    } catch (error) {
      // A file that may not be run says more than a folder without it.
      if (!isMissing(error)) problem ??= error;
    }
  }
  throw problem ?? failure(command, 'ENOENT');
}

async function runnable(path: string, command: string): Promise<string> {
  await access(path, constants.X_OK).catch((error: unknown) => {
    throw failure(command, isMissing(error) ? 'ENOENT' : 'EACCES');
  });
  if ((await stat(path)).isDirectory()) throw failure(command, 'EACCES');
  return path;
}

function failure(command: string, code: 'ENOENT' | 'EACCES'): Error {
  return Object.assign(new Error(`spawn ${command} ${code}`), { code });
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'ENOENT' || code === 'ENOTDIR';
}
