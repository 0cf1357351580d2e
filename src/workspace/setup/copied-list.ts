import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { makeOwnGitFolder, ownGitFolder } from '../../process/own-git-folder.ts';

const NAME = 'copied.json';

/**
 * The files and folders that setup put into a worktree (`.env`, shared dependencies), relative to its top.
 * They are nobody's work: checkpoints and the question "is it dirty" leave them out. The list lies in the
 * worktree's private git directory and goes with it, where no agent can write.
 */
export async function copiedInto(gitDir: string): Promise<readonly string[]> {
  try {
    const value: unknown = JSON.parse(await readFile(join(ownGitFolder(gitDir), NAME), 'utf8'));
    return Array.isArray(value) ? value.filter((path): path is string => typeof path === 'string') : [];
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Adds to the list. Written before the copying, so that a kill in between leaves no file unlisted. */
export async function addCopied(gitDir: string, paths: readonly string[]): Promise<void> {
  const all = [...new Set([...(await copiedInto(gitDir)), ...paths])].sort();
  const file = join(makeOwnGitFolder(gitDir), NAME);
  await writeFile(`${file}.draft`, JSON.stringify(all));
  await rename(`${file}.draft`, file);
}
