import type { SettingValue } from '../../config/runtime/table.ts';
import { USER_SETTINGS, type UserSettings } from '../../config/user/settings.ts';
import type { OpenProject } from '../open.ts';

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

export interface Settings {
  readonly settings: readonly SettingView[];
  /** The file with what a person decides for all projects. */
  readonly userFile: string;
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** Every setting of the runtime and of the person, with its value and where it comes from. */
export async function config({ config: { runtime, user, refused } }: OpenProject): Promise<Settings> {
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
    settings: [...settings, ...userRows(user)],
    userFile: user.file,
    warnings: [...refused, ...warnings],
    errors: errors.map(({ message }) => message),
  };
}

function userRows(user: UserSettings): SettingView[] {
  const keys = ['secrets', 'tokenHosts', 'sandboxFloor', 'repositoryPrograms'] as const;
  return keys.map((name) => {
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
}
