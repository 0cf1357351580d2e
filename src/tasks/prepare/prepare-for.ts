import type { RepositoryMode } from '../../config/runtime/settings.ts';
import { direct } from './direct/direct.ts';
import { localGit } from './git/local-git.ts';
import type { PrepareOptions } from './options.ts';
import type { Prepare } from './prepared.ts';

/** Makes ready where a claimed task works, for each of the repository modes. */
export function prepareFor(mode: RepositoryMode, options: PrepareOptions): Prepare {
  switch (mode) {
    case 'github':
      throw new Error('github mode is not there yet');
    case 'local-git':
      return localGit(options);
    default:
      return direct(options);
  }
}
