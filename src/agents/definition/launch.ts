import { dirname, join } from 'node:path';
import { UsageError } from '../../kernel/errors.ts';
import type { AdapterOptions, ExecutionMode, LaunchConfig, LaunchFile } from '../adapter.ts';
import { type PlacedPrompt, placePrompt, promptArgs } from './prompt.ts';
import { type AppliedSetting, appliedSettings } from './settings.ts';
import type { AdapterDefinition, ModeDefinition } from './shape.ts';
import { wayOf } from './way.ts';

export interface LaunchRequest {
  readonly type: string;
  readonly definition: AdapterDefinition;
  /** The folder of the definition. */
  readonly here: string;
  readonly mode: ExecutionMode;
  readonly options: AdapterOptions;
  readonly prompt: string | undefined;
  readonly extraArgs: readonly string[];
  readonly asRoot: boolean;
}

type Fill = (text: string) => string;

/**
 * Command, arguments and environment of one run. The order is: what the mode always needs, the settings, what
 * the caller adds, a subcommand that must stand behind all options, the prompt.
 */
export function launchConfig(request: LaunchRequest): LaunchConfig {
  const { options, extraArgs } = request;
  const mode = modeOf(request);
  const inDialogue = mode === request.definition.modes.dialogue;
  const prompt = inDialogue ? undefined : placed(request, mode);
  const applied = [...appliedSettings(mode, options), ...promptFile(mode, prompt)];
  const fill = filler(request);
  const env = environment(mode, applied, request);
  const files = [...modeFiles(mode, options.filesDir), ...(prompt?.file === undefined ? [] : [prompt.file])];
  return {
    command: commandOf(request, fill),
    args: [
      ...mode.args.map(fill),
      ...settingArgs(applied, 'first', fill),
      ...extraArgs,
      ...settingArgs(applied, 'last', fill),
      ...(prompt === undefined || prompt.asInput ? [] : promptArgs(mode, prompt.text)),
    ],
    ...(prompt?.asInput ? { input: prompt.text } : {}),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(mode.closeStdin && !inDialogue ? { closeStdin: true } : {}),
    ...(files.length === 0 ? {} : { files }),
  };
}

function modeOf({ type, definition, mode, options }: LaunchRequest): ModeDefinition {
  const found = definition.modes[wayOf(definition.modes, mode, options)];
  if (found) return found;
  const known = Object.keys(definition.modes).join(' and ') || 'none';
  throw new UsageError(`The agent ${type} has no ${mode} mode; it has ${known}.`, {
    next: `Choose another mode, or describe this one under "modes" in the adapter's file.`,
  });
}

function placed({ prompt, type, options }: LaunchRequest, mode: ModeDefinition): PlacedPrompt | undefined {
  // No argument can hold a NUL character.
  const text = prompt?.replaceAll('\0', '').trim() ?? '';
  if (text === '') return undefined;
  return placePrompt(text, type, { input: mode.promptInput, filesDir: options.filesDir });
}

function promptFile(mode: ModeDefinition, prompt: PlacedPrompt | undefined): readonly AppliedSetting[] {
  const setting = mode.settings.promptFile;
  if (prompt?.file === undefined || setting === undefined) return [];
  return [{ setting, value: dirname(prompt.file.path) }];
}

function settingArgs(applied: readonly AppliedSetting[], place: 'first' | 'last', fill: Fill): string[] {
  return applied
    .filter(({ setting }) => (setting.place ?? 'first') === place)
    .flatMap(({ setting, value }) => (setting.args ?? []).map((arg) => withValue(fill(arg), value)));
}

function environment(
  mode: ModeDefinition,
  applied: readonly AppliedSetting[],
  request: LaunchRequest,
): { readonly [name: string]: string } {
  const fill = filler(request);
  const env: { [name: string]: string } = {};
  for (const [name, text] of Object.entries(mode.env ?? {})) {
    if (request.options.filesDir !== undefined || !text.includes('{files}')) env[name] = fill(text);
  }
  for (const { setting, value } of applied) {
    const named = { ...setting.env, ...(request.asRoot ? setting.envAsRoot : {}) };
    for (const [name, text] of Object.entries(named)) env[name] = withValue(fill(text), value);
  }
  return env;
}

function modeFiles(mode: ModeDefinition, filesDir: string | undefined): readonly LaunchFile[] {
  if (filesDir === undefined) return [];
  return Object.entries(mode.files ?? {}).map(([name, content]) => ({ path: join(filesDir, name), content }));
}

function commandOf({ definition, options, here }: LaunchRequest, fill: Fill): string {
  if (options.command !== undefined) return options.command;
  const { command } = definition.binary;
  return command.startsWith('./') ? join(here, command) : fill(command);
}

function filler({ here, options }: LaunchRequest): Fill {
  const { cwd, filesDir = '' } = options;
  const values: { readonly [name: string]: string } = { here, cwd, node: process.execPath, files: filesDir };
  return (text) => text.replaceAll(/\{(here|cwd|node|files)\}/g, (all, name: string) => values[name] ?? all);
}

function withValue(text: string, value: string): string {
  return text.replaceAll('{value}', () => value);
}
