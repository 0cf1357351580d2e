import type { SettingValue } from '../../config/runtime/table.ts';
import { USER_SETTINGS, type UserSettings } from '../../config/user/settings.ts';
import { COMMAND_KINDS, projectCommands } from '../../verification/commands/project-commands.ts';
import { type OpenProject, openWith } from '../open.ts';
import { worktreeRows } from './worktree-rows.ts';

export interface SettingView {
  readonly key: string;
  /** Empty for what only the file of the person can say. */
  readonly variable: string;
  readonly value: SettingValue;
  /** Where the value comes from. */
  readonly source: string;
  readonly default: SettingValue;
  readonly meaning: string;
}

/** How the project is tested, linted or built, and who says so. */
export interface CommandView {
  readonly kind: string;
  /** Null: neither a person nor the project says. */
  readonly command: string | null;
  readonly source: 'configured' | 'detected' | 'none';
  /** The file or the script that says so. */
  readonly from: string | null;
  /** Why it cannot be run as it is written. */
  readonly problem?: string;
}

export interface Settings {
  readonly commands: readonly CommandView[];
  readonly settings: readonly SettingView[];
  /** The file with what a person decides for all projects. */
  readonly userFile: string;
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** Every setting of the runtime and of the person, with its value and where it comes from. */
export async function config(known: OpenProject): Promise<Settings> {
  // Whoever keeps a project open for long shows what its files say now.
  const opened = openWith(known);
  const { runtime, user, refused } = opened.config;
  const { all, warnings, errors } = runtime;
  const settings = all.map(({ setting: { key, variable, meaning, fallback }, value, source }) => ({
    key,
    variable,
    value,
    source,
    default: fallback,
    meaning,
  }));
  return {
    commands: commandsOf(opened),
    settings: [...settings, ...worktreeRows(opened), ...userRows(user)],
    userFile: user.file,
    warnings: [...refused, ...warnings],
    errors: errors.map(({ message }) => message),
  };
}

/** The commands that the blocks, the checks before the work and the verification of tasks run. */
export function commandsOf({ project, config: { commands, commandFiles } }: OpenProject): CommandView[] {
  const known = projectCommands({ configured: commands, tree: project.dir });
  return COMMAND_KINDS.map((kind): CommandView => {
    const found = known.find((each) => each.kind === kind);
    if (!found) return { kind, command: null, source: 'none', from: null };
    const isOwn = found.source === 'configured';
    const { line: command, from, read } = found;
    return {
      kind,
      command,
      source: isOwn ? 'configured' : 'detected',
      from: isOwn ? (commandFiles[kind] ?? from) : from,
      ...(read.ok ? {} : { problem: read.reason }),
    };
  });
}

function userRows(user: UserSettings): SettingView[] {
  const keys = ['secrets', 'tokenHosts', 'sandboxFloor', 'repositoryPrograms'] as const;
  const { fallback: none, meaning: served } = USER_SETTINGS.providers;
  const providers: SettingView = {
    key: 'user.providers',
    variable: '',
    value: Object.keys(user.providers),
    source: user.providers === none ? 'default' : 'user',
    default: [],
    meaning: served,
  };
  const rows = keys.map((name): SettingView => {
    const { fallback, meaning } = USER_SETTINGS[name];
    const value = user[name];
    return {
      key: `user.${name}`,
      variable: '',
      value,
      source: value === fallback ? 'default' : 'user',
      default: fallback,
      meaning,
    };
  });
  return [...rows, providers];
}
