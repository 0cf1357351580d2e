import type { Artifact } from '../../backlog/release.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { PrepareOptions } from '../prepare/options.ts';
import { type MergeMethod, mergePullRequest } from './pull-request.ts';
import { openGitHub } from './repository.ts';

/** Merges the pull request that a task has recorded; one that is merged already is left alone. */
export async function mergeDelivered(
  options: Pick<PrepareOptions, 'config' | 'repository' | 'retryMs'>,
  { ref, data }: Artifact,
  method: MergeMethod = 'squash',
): Promise<'merged' | 'already-merged'> {
  const number = data?.['number'];
  if (typeof number !== 'number') {
    throw new UsageError(`${ref} was recorded without its number.`, { next: 'Merge it on GitHub.' });
  }
  return mergePullRequest(await openGitHub(options), number, { method });
}
