import { type DetectedCommands, detectCommands } from '../../config/detect.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import { type CommandLine, tokenize } from '../command-line.ts';

export const COMMAND_KINDS = ['test', 'lint', 'build'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];
/** Words, or one line that is read like a shell reads plain words. */
export type CommandText = string | readonly string[];

/** What a person wrote down, by kind. */
export type ConfiguredCommands = { readonly [kind in CommandKind]?: CommandText };

/** `workflow`: the memory of a node names it. `example`: nobody says how, so the one of the specification is tried. */
export type CommandSource = 'configured' | 'workflow' | 'detected' | 'example';

/** How the project is tested, linted or built, and who says so. */
export interface ProjectCommand {
  readonly kind: CommandKind;
  readonly source: CommandSource;
  /** The place that says so: a setting, a script, a file. */
  readonly from: string;
  /** As a person would write it. */
  readonly line: string;
  /** What is started, or why nothing can be. */
  readonly read: CommandLine;
}

export interface CommandSources {
  /** What a person configured; nothing outweighs it. */
  readonly configured?: ConfiguredCommands | undefined;
  /** What the memory of a node says, as it is written there. */
  readonly memory?: JsonObject | undefined;
  /** The files that are looked at where nobody says anything. */
  readonly tree: string;
}

/** Used where neither a person nor the project says how: the examples of the specification. */
const EXAMPLES: { readonly [kind in CommandKind]: readonly string[] } = {
  test: ['vitest', 'run', '--reporter=verbose'],
  lint: ['eslint', '.', '--format=json'],
  build: ['npm', 'run', 'build'],
};

/**
 * The one answer to "which command is it?": for the checks before the work, the blocks of a workflow, the verification
 * of tasks, and everybody who shows it. Undefined: neither a person nor the project says.
 */
export function projectCommand(kind: CommandKind, sources: CommandSources): ProjectCommand | undefined {
  return resolve(kind, sources, detectCommands(sources.tree));
}

/** All that are known, in the order in which they are run. */
export function projectCommands(sources: CommandSources): ProjectCommand[] {
  const detected = detectCommands(sources.tree);
  return COMMAND_KINDS.flatMap((kind) => resolve(kind, sources, detected) ?? []);
}

/** For a block that must run something: the example where nobody says how. */
export function commandOrExample(kind: CommandKind, sources: CommandSources): ProjectCommand {
  const found = projectCommand(kind, sources);
  if (found) return found;
  return made(kind, 'example', 'the example of the specification', EXAMPLES[kind]);
}

function resolve(
  kind: CommandKind,
  { configured, memory }: CommandSources,
  detected: DetectedCommands,
): ProjectCommand | undefined {
  const own = configured?.[kind];
  if (own !== undefined) return made(kind, 'configured', `commands.${kind}`, own);
  const remembered = memory?.[kind];
  if (remembered !== undefined) return made(kind, 'workflow', `static_memory.commands.${kind}`, remembered);
  const found = detected[kind];
  return found && made(kind, 'detected', found.from, found.command);
}

function made(
  kind: CommandKind,
  source: CommandSource,
  from: string,
  value: CommandText | JsonValue,
): ProjectCommand {
  return { kind, source, from, line: lineOf(value), read: readCommand(value, from) };
}

/** Words are taken as they are; a text is read like a shell reads plain words. */
export function readCommand(value: CommandText | JsonValue, place: string): CommandLine {
  if (typeof value === 'string') {
    const line = tokenize(value);
    if (line.ok) return line;
    return { ok: false, reason: `${place} cannot be run as "${value}": ${line.reason}.` };
  }
  if (isWords(value)) return { ok: true, argv: value, env: {} };
  return { ok: false, reason: `${place} must be a text or a list of texts, not ${JSON.stringify(value)}.` };
}

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
}

function lineOf(value: CommandText | JsonValue): string {
  if (typeof value === 'string') return value.trim();
  return isWords(value) ? value.map(quoted).join(' ') : JSON.stringify(value);
}

/** So that reading the line gives the words again, where it can be read at all. */
function quoted(word: string): string {
  if (/^[\w@%+=:,./*-]+$/.test(word)) return word;
  return word.includes("'") ? `"${word.replaceAll(/["\\$]/g, '\\$&')}"` : `'${word}'`;
}
