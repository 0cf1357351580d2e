import type { SettingValue } from '../../config/runtime/table.ts';
import type { OpenProject } from '../open.ts';

export interface SettingView {
  readonly key: string;
  readonly variable: string;
  readonly value: SettingValue;
  /** Where the value comes from. */
  readonly source: string;
  readonly default: SettingValue;
  readonly meaning: string;
}

export interface Settings {
  readonly settings: readonly SettingView[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** Every setting of the runtime with its value and where it comes from. */
export async function config({ config: { runtime } }: OpenProject): Promise<Settings> {
  const { all, warnings, errors } = runtime;
  const settings = all.map(({ setting: { key, variable, meaning, fallback }, value, source }) => ({
    key,
    variable,
    value,
    source,
    default: fallback,
    meaning,
  }));
  return { settings, warnings, errors: errors.map(({ message }) => message) };
}
