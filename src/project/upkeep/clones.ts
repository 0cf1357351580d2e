import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../kernel/errors.ts';
import { cloneHome } from '../../tasks/prepare/git/github.ts';
import { openRepository, type Repository } from '../../workspace/git/repository.ts';
import type { OpenProject } from '../open.ts';

/** The clones that tasks in github mode work in: their checkpoints are kept there, not in the project. */
export async function clonesOf({ config }: Pick<OpenProject, 'config'>): Promise<Repository[]> {
  const home = cloneHome(config, config.runtime.values.repository.workspace);
  const folders = entriesOf(home).map((name) => join(home, name));
  return Promise.all(folders.filter(isBareRepository).map((folder) => openRepository(folder)));
}

/** A plain folder would be taken for a part of the project's own repository. */
function isBareRepository(folder: string): boolean {
  return existsSync(join(folder, 'HEAD')) && existsSync(join(folder, 'objects'));
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
