import { isJsonObject } from '../kernel/json.ts';
import {
  type CommandKind,
  commandOrExample,
  type ProjectCommand,
} from '../verification/commands/project-commands.ts';
import type { StepInTree } from './step.ts';

/** The project's command of a kind, for a block: configured, from the node's memory, detected, or the example. */
export function blockCommand(
  { services, context, worktree }: Omit<StepInTree, 'run'>,
  kind: CommandKind,
): ProjectCommand {
  const { commands } = context.inherited_context;
  const memory = isJsonObject(commands) ? commands : undefined;
  return commandOrExample(kind, { configured: services.commands, memory, tree: worktree });
}
