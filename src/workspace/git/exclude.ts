import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { STATE_FOLDER } from '../../config/config-file.ts';
import { BoundGit } from './bound-git.ts';

/**
 * Keeps our folder out of `git status` by the repository's private list, so that no file of the project
 * changes. Without git, or outside a repository, there is nothing to do.
 */
export async function excludeFromGit(dir: string): Promise<'added' | 'there' | 'no-git'> {
  const file = await excludeFile(dir);
  if (file === undefined) return 'no-git';
  return (await addExclude(file, `${STATE_FOLDER}/`)) ? 'added' : 'there';
}

/** The same for a repository that is known already, without asking git. */
export async function excludeFromRepository({ commonDir }: { readonly commonDir: string }): Promise<void> {
  await addExclude(join(commonDir, 'info', 'exclude'), `${STATE_FOLDER}/`);
}

/** Adds a line to an exclude file unless it is there. Worktrees share the file of their repository. */
export async function addExclude(file: string, line: string): Promise<boolean> {
  // A file of the person's own repository, which may well be a link to one they share.
  const old = existsSync(file) ? await readFile(file, 'utf8') : '';
  const name = line.replace(/\/$/, '');
  if (old.split('\n').some((known) => known.trim().replace(/\/$/, '') === name)) return false;
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${old === '' || old.endsWith('\n') ? '' : '\n'}${line}\n`);
  return true;
}

async function excludeFile(dir: string): Promise<string | undefined> {
  try {
    const { code, stdout } = await new BoundGit(dir).try(['rev-parse', '--git-path', 'info/exclude']);
    return code === 0 ? resolve(dir, stdout.trim()) : undefined;
  } catch (error) {
    // Git is not installed: then nothing will list our folder either.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
