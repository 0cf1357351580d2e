/** One thing that a variable, a line of the configuration file or a flag can decide. */
export interface Setting {
  /** The environment variable. */
  readonly variable: string;
  /** Its readable name in `.loopwright/config.json`: `verify.repairs`. */
  readonly key: string;
  readonly kind: SettingKind;
  readonly fallback: SettingValue;
  readonly meaning: string;
}

export type SettingKind =
  /** On unless its text is `false`, in any case. */
  | { readonly type: 'switch' }
  /** A whole number; a negative one counts as 0. */
  | { readonly type: 'count'; readonly least?: number; readonly most?: number }
  /** Must be positive. */
  | { readonly type: 'number' }
  | { readonly type: 'text' }
  /** Words separated by commas. */
  | { readonly type: 'list' }
  | {
      readonly type: 'choice';
      readonly choices: readonly string[];
      readonly aliases?: { readonly [alias: string]: string };
      /** A wrong value ends the start instead of falling back. */
      readonly strict?: boolean;
      /** Agents of the project's own are choices too; their names keep their case. */
      readonly agents?: boolean;
    };

export type SettingValue = string | number | boolean | readonly string[];

export type Read = { readonly value: SettingValue } | { readonly wrong: string; readonly fatal: boolean };

/** Reads the text of a variable as section A.12 says. */
export function readText(kind: SettingKind, text: string): Read {
  const said = text.trim();
  switch (kind.type) {
    case 'switch':
      return { value: said.toLowerCase() !== 'false' };
    case 'count':
      return readCount(kind, said);
    case 'number': {
      const value = Number(said);
      return Number.isFinite(value) && value > 0 ? { value } : wrong('must be a positive number');
    }
    case 'list':
      return {
        value: said
          .split(',')
          .map((entry) => entry.trim())
          .filter((entry) => entry !== ''),
      };
    case 'choice':
      return readChoice(kind, said);
    default:
      return { value: said };
  }
}

/** Reads a value of the configuration file: the same, but a number is a number there. */
export function readValue(kind: SettingKind, value: unknown): Read {
  if (kind.type === 'switch') return typeof value === 'boolean' ? { value } : wrong('must be true or false');
  if (kind.type === 'list') {
    return isTextList(value) ? { value } : wrong('must be a list of texts');
  }
  if (kind.type === 'count' || kind.type === 'number') {
    return typeof value === 'number' ? readText(kind, String(value)) : wrong('must be a number');
  }
  return typeof value === 'string' ? readText(kind, value) : wrong('must be a text');
}

function readCount(kind: Extract<SettingKind, { type: 'count' }>, text: string): Read {
  if (!/^[+-]?\d+/.test(text)) return wrong('must be a whole number');
  const { least = 0, most = Number.MAX_SAFE_INTEGER } = kind;
  return { value: Math.min(most, Math.max(least, Number.parseInt(text, 10))) };
}

function readChoice(kind: Extract<SettingKind, { type: 'choice' }>, text: string): Read {
  const word = text.toLowerCase();
  const value = kind.aliases?.[word] ?? word;
  for (const each of [text, value]) if (kind.choices.includes(each)) return { value: each };
  return { wrong: `must be one of ${kind.choices.join(', ')}`, fatal: kind.strict ?? false };
}

function wrong(problem: string): Read {
  return { wrong: problem, fatal: false };
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
