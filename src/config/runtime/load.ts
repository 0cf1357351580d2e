import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { Environment } from '../terminal.ts';
import { type Read, readText, readValue, type Setting, type SettingValue } from './setting.ts';
import { SETTINGS } from './table.ts';

export type Source = 'default' | 'file' | 'environment' | 'flag';

export interface Configured {
  readonly setting: Setting;
  readonly value: SettingValue;
  readonly source: Source;
}

export interface RuntimeConfig {
  readonly all: readonly Configured[];
  /** What was written and is not used, each with why. */
  readonly warnings: readonly string[];
  /** What keeps the runtime from starting. */
  readonly errors: readonly string[];
}

/** Sections of `.loopwright/config.json` that the runtime reads. */
const SECTIONS: readonly string[] = [...new Set(SETTINGS.map(({ key }) => key.split('.')[0] ?? ''))];

/** Every setting with its value and where it comes from: a flag wins over a variable, that over the file. */
export function loadRuntime(
  file: JsonObject,
  env: Environment,
  flags: { readonly [key: string]: string | undefined } = {},
): RuntimeConfig {
  const warnings: string[] = unknownKeys(file);
  const errors: string[] = [];
  const all = SETTINGS.map((setting): Configured => {
    const { kind, key, variable, fallback } = setting;
    const tried: { readonly source: Source; readonly name: string; readonly read: Read }[] = [];
    const flag = flags[key];
    if (flag !== undefined)
      tried.push({ source: 'flag', name: `--${key.split('.').at(-1)}`, read: readText(kind, flag) });
    const text = env[variable];
    if (text !== undefined && text.trim() !== '')
      tried.push({ source: 'environment', name: variable, read: readText(kind, text) });
    const written = valueAt(file, key);
    if (written !== undefined) tried.push({ source: 'file', name: key, read: readValue(kind, written) });
    for (const { source, name, read } of tried) {
      if ('value' in read) return { setting, value: read.value, source };
      if (read.fatal) errors.push(`${name} ${read.wrong}.`);
      else warnings.push(`${name} ${read.wrong}; ${shown(fallback)} is used.`);
    }
    return { setting, value: fallback, source: 'default' };
  });
  return { all, warnings, errors };
}

function valueAt(file: JsonObject, key: string): unknown {
  const [section = '', name = ''] = key.split('.');
  const group = file[section];
  return isJsonObject(group) ? group[name] : undefined;
}

function unknownKeys(file: JsonObject): string[] {
  return SECTIONS.flatMap((section) => {
    const group = file[section];
    const known = SETTINGS.filter(({ key }) => key.startsWith(`${section}.`)).map(({ key }) =>
      key.slice(section.length + 1),
    );
    if (group === undefined) return [];
    if (!isJsonObject(group)) return [`${section} must be an object; it is not used.`];
    return Object.keys(group)
      .filter((name) => !known.includes(name))
      .map((name) => `${section}.${name} is not known.${didYouMean(name, known)}`);
  });
}

function shown(value: SettingValue): string {
  return typeof value === 'string' && value === '' ? 'nothing' : JSON.stringify(value);
}
