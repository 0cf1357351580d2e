import { patternProblem } from '../../backlog/pattern.ts';
import { deniedProblem } from '../../backlog/validate.ts';
import { UsageError } from '../../kernel/errors.ts';
import type { PathRules } from '../../orchestrator/engine/paths.ts';
import { projectCommands } from '../../verification/commands/project-commands.ts';
import type { OpenProject } from '../open.ts';

/** What every session is held to: the scripts that its checks run are not its own to rewrite. */
export function pathRules({ project, config }: OpenProject): PathRules {
  const known = projectCommands({ configured: config.commands, tree: project.dir });
  return { commands: known.map(({ line }) => line) };
}

/** Paths that no file of the project can have are a mistake of whoever named them: found out before anything starts. */
export function requirePaths({ allow = [], deny = [] }: NamedPaths): void {
  refuse('allowed', allow, patternProblem);
  refuse('denied', deny, deniedProblem);
}

interface NamedPaths {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

function refuse(
  word: string,
  paths: readonly string[],
  problemOf: (path: string) => string | undefined,
): void {
  for (const path of paths) {
    const problem = problemOf(path);
    if (problem === undefined) continue;
    throw new UsageError(`"${path}" cannot be ${word}: it ${problem}. Nothing was started.`, {
      next: 'Name files, folders or globs below the project folder, such as src/ or "src/**".',
    });
  }
}
