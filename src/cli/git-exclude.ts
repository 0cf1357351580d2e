import { execFile } from 'node:child_process';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { childEnv } from '../config/child-env.ts';
import { errorCode } from '../kernel/errors.ts';
import { FOLDER } from './project.ts';

const runFile = promisify(execFile);
const LINE = `${FOLDER}/`;

/**
 * Keeps our folder out of `git status` by the repository's private list, so that no file of the project
 * changes. Without git, or outside a repository, there is nothing to do.
 */
export async function excludeFromGit(dir: string): Promise<'added' | 'there' | 'no-git'> {
  const file = await excludeFile(dir);
  if (file === undefined) return 'no-git';
  const old = await readIfThere(file);
  if (old.split('\n').some((line) => line.trim() === LINE || line.trim() === FOLDER)) return 'there';
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${old === '' || old.endsWith('\n') ? '' : '\n'}${LINE}\n`);
  return 'added';
}

async function excludeFile(dir: string): Promise<string | undefined> {
  try {
    const { stdout } = await runFile('git', ['rev-parse', '--git-path', 'info/exclude'], {
      cwd: dir,
      env: { ...childEnv() },
    });
    return resolve(dir, stdout.trim());
  } catch (error) {
    // Not installed, or not a repository: git says which, and neither is our business.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}
