import { access, constants, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import type { BoundGit } from '../git/bound-git.ts';
import { Refusal } from './refusal.ts';

/** The first of the given hooks that the user has set up here. */
export async function findHook(git: BoundGit, names: readonly string[]): Promise<string | undefined> {
  const { stdout } = await git.run(['rev-parse', '--git-path', 'hooks'], { hooks: true });
  const folder = resolve(git.cwd, stdout.trim());
  for (const name of names) if (await isExecutable(join(folder, name))) return name;
  return undefined;
}

export function hookRefusal(name: string, output: string): Refusal {
  return new Refusal(
    'hook',
    `The ${name} hook of the repository refused the commit: ${output.trim()}`,
    'Correct what the hook found and try again. Nothing was changed.',
    { output },
  );
}

/** Lets the user's `commit-msg` hook check and change the message of a commit that is made without files. */
export async function passMessageHook(git: BoundGit, gitDir: string, message: string): Promise<string> {
  if ((await findHook(git, ['commit-msg'])) === undefined) return message;
  const file = join(gitDir, 'LOOPWRIGHT_EDITMSG');
  await writeFile(file, message);
  try {
    await passHook(git, 'commit-msg', file);
    return await readFile(file, 'utf8');
  } finally {
    await rm(file, { force: true });
  }
}

export async function passHook(git: BoundGit, name: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await git.try(['hook', 'run', '--ignore-missing', name, '--', ...args], {
    hooks: true,
  });
  if (code !== 0) throw hookRefusal(name, stdout + stderr);
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
