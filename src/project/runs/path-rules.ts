import type { PathRules } from '../../orchestrator/engine/paths.ts';
import { projectCommands } from '../../verification/commands/project-commands.ts';
import type { OpenProject } from '../open.ts';

/** What every session is held to: the scripts that its checks run are not its own to rewrite. */
export function pathRules({ project, config }: OpenProject): PathRules {
  const known = projectCommands({ configured: config.commands, tree: project.dir });
  return { commands: known.map(({ line }) => line) };
}
