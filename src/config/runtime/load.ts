import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { Environment } from '../terminal.ts';
import {
  type Read,
  readText,
  readValue,
  type Setting,
  type SettingKind,
  type SettingValue,
} from './setting.ts';
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

export interface LoadOptions {
  readonly flags?: { readonly [key: string]: string | undefined };
  /** Agents that the project defines by itself. */
  readonly agents?: readonly string[];
}

/** Every setting with its value and where it comes from: a flag wins over a variable, that over the file. */
export function loadRuntime(
  file: JsonObject,
  env: Environment,
  { flags = {}, agents = [] }: LoadOptions = {},
): RuntimeConfig {
  const warnings: string[] = unknownKeys(file);
  const errors: string[] = [];
  const all = SETTINGS.map((setting): Configured => {
    const { key, variable, fallback } = setting;
    const kind = withAgents(setting.kind, agents);
    const tried: { readonly source: Source; readonly name: string; readonly read: Read }[] = [];
    const flag = flags[key];
    if (flag !== undefined)
      tried.push({ source: 'flag', name: `--${key.split('.').at(-1)}`, read: readText(kind, flag) });
    const text = env[variable];
    if (text !== undefined && text.trim() !== '')
      tried.push({ source: 'environment', name: variable, read: readText(kind, text) });
    const written = valueAt(file, key);
    if (written !== undefined) tried.push({ source: 'file', name: key, read: readValue(kind, written) });
    const used = tried.flatMap(({ source, read }) =>
      'value' in read ? [{ source, value: read.value }] : [],
    );
    const [{ value, source } = { value: fallback, source: 'default' as const }] = used;
    for (const { source: from, name, read } of tried) {
      if (from === source || 'value' in read) break;
      if (read.fatal) errors.push(`${name} ${read.wrong}.`);
      else warnings.push(`${name} ${read.wrong}; ${shown(value)} is used.`);
    }
    return { setting, value, source };
  });
  return { all, warnings, errors };
}

function withAgents(kind: SettingKind, agents: readonly string[]): SettingKind {
  if (kind.type !== 'choice' || !kind.agents) return kind;
  return { ...kind, choices: [...kind.choices, ...agents] };
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
