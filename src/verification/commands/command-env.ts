import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from '../../kernel/errors.ts';
import { isLoaderVariable } from '../../kernel/loader-variables.ts';
import { type Environment, withToolsFirst } from '../../process/child-env.ts';
import { environmentFor } from '../../process/environment.ts';
import { leaves } from './enter-folder.ts';

/** What a project's `.env` may not say: it would change which programs are found and whose files are touched. */
const MACHINE_NAMES = /^(?:PATH|HOME|SHELL|USER|LOGNAME|PWD|OLDPWD|TERM|TMPDIR)$/i;

interface EnvironmentOptions {
  readonly granted?: readonly string[] | undefined;
  /** Whether `.env` counts: not one that the work itself wrote. */
  readonly withEnvFile?: boolean;
}

/** The environment of a verification command, before the tools of its own folder are put first. */
export function commandEnvironment(
  base: Environment,
  root: string,
  { granted = [], withEnvFile = true }: EnvironmentOptions = {},
): Environment {
  const given = Object.entries(withEnvFile ? projectEnv(root) : {}).filter(
    ([name]) => !MACHINE_NAMES.test(name) && !isLoaderVariable(name),
  );
  const env: Environment = {
    CI: '1',
    ...environmentFor('check', base, granted),
    ...Object.fromEntries(given),
  };
  return withToolsFirst({ ...env, PATH: withoutForeignTools(env['PATH'], root) }, root);
}

/** The tools that another project, or our own start through a package manager, put on the search path. */
function withoutForeignTools(path: string | undefined, root: string): string | undefined {
  const kept = path?.split(delimiter).filter((folder) => {
    const isTools = /(?:^|[\\/])node_modules[\\/]\.bin[\\/]?$/.test(folder);
    return !isTools || !leaves(root, folder);
  });
  return kept?.join(delimiter);
}

function projectEnv(root: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(join(root, '.env'), 'utf8'));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return {};
  }
}
