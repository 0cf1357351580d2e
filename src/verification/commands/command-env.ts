import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parseEnv } from 'node:util';
import { errorCode } from '../../kernel/errors.ts';
import { type Environment, withToolsFirst } from '../../process/child-env.ts';
import { leaves } from './enter-folder.ts';

/** Settings of the runtime and of its models: none of the project's business. */
const OWN_PREFIXES =
  `LOOPWRIGHT_ WORKER_ TESTER_ DOCSER_ PLANNER_ JUDGE_ DISPATCHER_ LLM_ OPENCODE_ CLAUDE_ CODEX_ ANTHROPIC_
  OPENAI_ GEMINI_ GITHUB_ POLICY_RECOVERY_ RESEARCH_ TASK_QUEUE_`.split(/\s+/);
const OWN_NAMES = new Set(
  `AGENT_ID AGENT_ROLE REPO_MODE REPO_URL BASE_BRANCH LOCAL_REPO_PATH LOCAL_WORKTREE_ROOT TASK_ID WORKSPACE_PATH`.split(
    ' ',
  ),
);
/** What a project's `.env` may not say: it would change which programs are found and whose files are touched. */
const MACHINE_NAMES =
  /^(?:PATH|HOME|SHELL|USER|LOGNAME|PWD|OLDPWD|TERM|TMPDIR|IFS|ENV|BASH_ENV|LD_.*|DYLD_.*)$/i;

/** The environment of a verification command, before the tools of its own folder are put first. */
export function commandEnvironment(base: Environment, root: string): Environment {
  const inherited = Object.entries(base).filter(([name]) => !isOwn(name));
  const given = Object.entries(projectEnv(root)).filter(([name]) => !MACHINE_NAMES.test(name));
  const env: Environment = { CI: '1', ...Object.fromEntries(inherited), ...Object.fromEntries(given) };
  return withToolsFirst({ ...env, PATH: withoutForeignTools(env['PATH'], root) }, root);
}

function isOwn(name: string): boolean {
  return OWN_NAMES.has(name) || OWN_PREFIXES.some((prefix) => name.startsWith(prefix));
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
