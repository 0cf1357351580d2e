import { isJsonObject, type JsonObject } from '../../kernel/json.ts';
import { didYouMean } from '../../kernel/suggest.ts';
import type { Environment } from '../terminal.ts';
import type { Kind } from './kind.ts';
import { type RuntimeValues, SETTINGS, type Setting, type SettingValue } from './table.ts';

export type Source = 'default' | 'file' | 'environment' | 'flag';

export interface Configured {
  /** With its readable name in `.loopwright/config.json`: `verify.repairs`. Plain data: it is frozen. */
  readonly setting: Omit<Setting<SettingValue>, 'kind'> & { readonly key: string };
  readonly value: SettingValue;
  readonly source: Source;
  /** Somebody said something about it, though it may not have been usable. */
  readonly said: boolean;
}

/** A setting whose value cannot be used, and that must not fall back to its default. */
export interface SettingError {
  readonly key: string;
  readonly message: string;
}

export interface RuntimeConfig {
  readonly values: RuntimeValues;
  readonly all: readonly Configured[];
  /** What was written and is not used, each with why. */
  readonly warnings: readonly string[];
  /** What keeps the runtime from starting. */
  readonly errors: readonly SettingError[];
}

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
  const errors: SettingError[] = [];
  const all = Object.entries(SETTINGS).flatMap(([section, settings]) =>
    Object.entries<Setting<SettingValue>>(settings).map(([name, setting]): Configured => {
      const key = `${section}.${name}`;
      const { kind, ...described } = setting;
      const tried = readings({ ...setting, key }, { file, env, flags, agents });
      const [used] = tried.flatMap(({ source, read }) =>
        'value' in read ? [{ source, value: read.value }] : [],
      );
      const { value, source } = used ?? { value: setting.fallback, source: 'default' as const };
      for (const { source: from, said, read } of tried) {
        if (from === source || 'value' in read) break;
        if (kind.strict) errors.push({ key, message: `${said} ${read.wrong}.` });
        else warnings.push(`${said} ${read.wrong}; ${shown(value)} is used.`);
      }
      return { setting: { ...described, key }, value, source, said: tried.length > 0 };
    }),
  );
  return { values: bySection(all), all, warnings, errors };
}

interface Reading {
  readonly source: Source;
  /** What a person would look for to correct it. */
  readonly said: string;
  readonly read: Read;
}

type Read = { readonly value: SettingValue } | { readonly wrong: string };

/** What each source says about a setting, the strongest first. */
function readings(
  { key, variable, kind: general }: Setting<SettingValue> & { readonly key: string },
  { file, env, flags, agents }: Required<LoadOptions> & { file: JsonObject; env: Environment },
): Reading[] {
  const kind = general.withAgents?.(agents) ?? general;
  const found: Reading[] = [];
  const flag = flags[key];
  if (flag !== undefined)
    found.push({ source: 'flag', said: `--${key.split('.').at(-1)}`, read: readWith(kind.text, flag) });
  const text = env[variable];
  if (text !== undefined && text.trim() !== '')
    found.push({ source: 'environment', said: variable, read: readWith(kind.text, text) });
  const written = valueAt(file, key);
  if (written !== undefined) found.push({ source: 'file', said: key, read: readWith(kind.value, written) });
  return found;
}

function readWith(schema: Kind<SettingValue>['value'], said: unknown): Read {
  const read = schema.safeParse(said);
  return read.success ? { value: read.data } : { wrong: read.error.issues[0]?.message ?? 'is wrong' };
}

/** The table says the type of each value, and each was read by its own row of the table. */
function bySection(all: readonly Configured[]): RuntimeValues {
  const sections = Object.keys(SETTINGS).map((section) => {
    const rows = all.filter(({ setting }) => setting.key.startsWith(`${section}.`));
    const named = rows.map(({ setting, value }) => [setting.key.slice(section.length + 1), value]);
    return [section, Object.fromEntries(named)];
  });
  return Object.fromEntries(sections) as RuntimeValues;
}

function valueAt(file: JsonObject, key: string): unknown {
  const [section = '', name = ''] = key.split('.');
  const group = file[section];
  return isJsonObject(group) ? group[name] : undefined;
}

function unknownKeys(file: JsonObject): string[] {
  return Object.entries(SETTINGS).flatMap(([section, settings]) => {
    const group = file[section];
    if (group === undefined) return [];
    if (!isJsonObject(group)) return [`${section} must be an object; it is not used.`];
    const known = Object.keys(settings);
    return Object.keys(group)
      .filter((name) => !known.includes(name))
      .map((name) => `${section}.${name} is not known.${didYouMean(name, known)}`);
  });
}

function shown(value: SettingValue): string {
  return typeof value === 'string' && value === '' ? 'nothing' : JSON.stringify(value);
}
