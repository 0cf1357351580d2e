import { type Environment, processEnvironment } from './terminal.ts';

/**
 * Says things about our own process that are wrong for a child. A test runner that finds NODE_TEST_CONTEXT
 * reports to an outer run and passes without a test; git that finds the others works on the repository whose
 * hook started us instead of the one it is called in. LOOPWRIGHT_TRUST is the word of a person about one start of
 * ours, and no child may repeat it.
 */
const MISLEADING = new Set([
  'NODE_TEST_CONTEXT',
  'LOOPWRIGHT_TRUST',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
]);

/** The environment that started programs get, before the marker and the project's tools are added. */
export function childEnv(
  env: Environment = processEnvironment(),
  /** Variables that are for us alone. */
  kept: ReadonlySet<string> = new Set(),
): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !MISLEADING.has(name) && !kept.has(name)));
}
