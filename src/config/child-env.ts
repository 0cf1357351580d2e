import { type Environment, processEnvironment } from './terminal.ts';

/** A test runner that finds it believes it is part of the outer run, reports there and passes without a test. */
const MISLEADING = 'NODE_TEST_CONTEXT';

/** The environment that started programs get, before the marker and the project's tools are added. */
export function childEnv(env: Environment = processEnvironment()): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== MISLEADING));
}
