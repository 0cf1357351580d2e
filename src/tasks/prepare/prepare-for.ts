import type { RepositoryMode } from '../../config/runtime/settings.ts';
import { excludeFromGit } from '../../workspace/git/exclude.ts';
import { direct } from './direct/direct.ts';
import { github } from './git/github.ts';
import { localGit } from './git/local-git.ts';
import type { Prepare, PrepareOptions } from './prepared.ts';

/** Makes ready where a claimed task works, for each of the repository modes. */
export function prepareFor(mode: RepositoryMode, options: PrepareOptions): Prepare {
  const prepare = inMode(mode, options);
  return async (claim, cancel) => {
    const prepared = await prepare(claim, cancel);
    // A worktree of the project's own repository has seen to it.
    if (mode !== 'local-git' || options.repository.path !== '')
      await excludeFromGit(options.config.projectDir);
    return prepared;
  };
}

function inMode(mode: RepositoryMode, options: PrepareOptions): Prepare {
  switch (mode) {
    case 'github':
      return github(options);
    case 'local-git':
      return localGit(options);
    default:
      return direct(options);
  }
}
