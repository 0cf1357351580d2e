import { detectCommands } from '../config/detect.ts';
import { isJsonObject, type JsonValue } from '../kernel/json.ts';
import type { WorkerContext } from '../manifest/worker.ts';
import { tokenize } from '../verification/command-line.ts';
import type { CommandKind, CommandText } from './services.ts';
import type { StepInTree } from './step.ts';

export type ProjectCommand =
  | { readonly ok: true; readonly argv: readonly string[]; readonly env: { readonly [name: string]: string } }
  | { readonly ok: false; readonly reason: string };

/** Used where neither a person nor the project says how: the examples of the specification. */
const EXAMPLES: { readonly [kind in CommandKind]: readonly string[] } = {
  test: ['vitest', 'run', '--reporter=verbose'],
  lint: ['eslint', '.', '--format=json'],
  build: ['npm', 'run', 'build'],
};

/** The project's command of a kind: configured, from the node's memory, detected, or the example. */
export function projectCommand(
  { services, context, worktree }: Omit<StepInTree, 'run'>,
  kind: CommandKind,
): ProjectCommand {
  const configured = services.commands?.[kind] ?? inMemory(kind, context);
  if (configured !== undefined) return readCommand(configured, `commands.${kind}`);
  return { ok: true, argv: detectCommands(worktree)[kind]?.command ?? EXAMPLES[kind], env: {} };
}

function inMemory(kind: CommandKind, context: WorkerContext): JsonValue | undefined {
  const { commands } = context.inherited_context;
  return isJsonObject(commands) ? commands[kind] : undefined;
}

/** Words are taken as they are; a text is read like a shell reads plain words. */
export function readCommand(value: CommandText | JsonValue, place: string): ProjectCommand {
  if (typeof value === 'string') {
    const line = tokenize(value);
    if (line.ok) return line;
    return { ok: false, reason: `${place} cannot be run as "${value}": ${line.reason}.` };
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isText))
    return { ok: true, argv: value, env: {} };
  return { ok: false, reason: `${place} must be a text or a list of texts, not ${JSON.stringify(value)}.` };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
