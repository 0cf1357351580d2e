import type { RepositoryMode } from '../../config/runtime/settings.ts';

const MODE_BY_PRODUCT: { readonly [type: string]: RepositoryMode } = {
  pr: 'github',
  branch: 'local-git',
  direct_edit: 'direct',
};

/**
 * In which mode a task was delivered, by the last product that tells: what is configured now may be something else
 * than what it was worked with. A pull request is recorded after its branch.
 */
export function deliveredMode(artifacts: readonly { readonly type: string }[]): RepositoryMode | undefined {
  const telling = artifacts.findLast(({ type }) => type in MODE_BY_PRODUCT);
  return telling && MODE_BY_PRODUCT[telling.type];
}
