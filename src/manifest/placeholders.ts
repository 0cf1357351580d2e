import { UsageError } from '../kernel/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../kernel/json.ts';
import type { PathStep } from './problem.ts';
import type { ResolvedManifest } from './resolved.ts';

export interface PlaceholderValues {
  readonly goal: string;
  readonly inputs: JsonObject;
  readonly config: JsonObject;
}

/** `{{root.key.key}}` in a text. A backslash before the braces keeps them as they are. */
interface Placeholder {
  readonly text: string;
  readonly root: string;
  readonly keys: readonly string[];
}

const FORM = /(\\?)(\{\{([^{}]*)\}\})/g;

export interface FoundPlaceholder extends Placeholder {
  /** Where in the value the text stands. */
  readonly at: readonly PathStep[];
}

export function findPlaceholders(value: JsonValue, at: readonly PathStep[] = []): FoundPlaceholder[] {
  if (typeof value === 'string') return placeholdersOf(value).map((found) => ({ ...found, at }));
  if (Array.isArray(value)) return value.flatMap((entry, index) => findPlaceholders(entry, [...at, index]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, member]) => findPlaceholders(member ?? null, [...at, key]));
}

/** The inputs a session must be given, sorted. */
export function requiredInputs(manifest: ResolvedManifest): string[] {
  const needed = new Set<string>();
  for (const block of Object.values(manifest.blocks)) {
    for (const { root, keys } of findPlaceholders([block.instructions ?? '', block.with])) {
      if (root === 'inputs' && keys[0] !== undefined) needed.add(keys[0]);
    }
  }
  return [...needed].sort();
}

/** The part of the configuration that the manifest asks for. */
export function usedConfig(manifest: ResolvedManifest, config: JsonObject = {}): JsonObject {
  const used: { [key: string]: JsonValue } = {};
  for (const block of Object.values(manifest.blocks)) {
    for (const { root, keys } of findPlaceholders([block.instructions ?? '', block.with])) {
      const [key = ''] = keys;
      const value = root === 'config' ? config[key] : undefined;
      if (value !== undefined) used[key] = value;
    }
  }
  return used;
}

/**
 * Fills in the placeholders all the way down. A text inside an object or a list that is one placeholder and
 * nothing else becomes the value itself, so a number stays a number; what is filled in is not looked at again.
 */
export function renderPlaceholders(value: string, values: PlaceholderValues): string;
export function renderPlaceholders(value: JsonObject, values: PlaceholderValues): JsonObject;
export function renderPlaceholders(value: JsonValue, values: PlaceholderValues): JsonValue;
export function renderPlaceholders(value: JsonValue, values: PlaceholderValues): JsonValue {
  const find = (placeholder: Placeholder): JsonValue | undefined => {
    if (isLate(placeholder.root)) return undefined;
    const found = valueOf(placeholder, values);
    if (found !== undefined) return found;
    throw new UsageError(`There is no value for ${placeholder.text}.`, {
      next:
        placeholder.root === 'inputs'
          ? `Give the session an input named "${placeholder.keys[0]}".`
          : `Set it in the configuration, or take ${placeholder.text} out of the manifest.`,
    });
  };
  return typeof value === 'string' ? fillText(value, find) : fill(value, find);
}

/** What only a running stage knows; it is left as written, backslash and all, until a task is started. */
export function isLate(root: string): boolean {
  return root === 'tasks' || root === 'files';
}

/** Fills in what was left for the start of a task. `find` gives the text for `root` and `rest`. */
export async function renderLate(
  text: string,
  find: (root: string, rest: string) => Promise<string>,
): Promise<string> {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(FORM)) {
    const [whole, escape, braces = '', inner = ''] = match;
    const { root, keys } = read(braces, inner);
    if (!isLate(root)) continue;
    parts.push(text.slice(from, match.index), escape ? braces : await find(root, keys.join('.')));
    from = match.index + whole.length;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** Fills in only what the configuration knows; the rest stays as written. */
export function renderConfig(value: JsonObject, config: JsonObject): JsonObject {
  const find = (placeholder: Placeholder): JsonValue | undefined =>
    placeholder.root === 'config' ? valueIn(config, placeholder.keys) : undefined;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member ?? null, find)]));
}

export function valueIn(object: JsonObject, keys: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const key of keys) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

type Find = (placeholder: Placeholder) => JsonValue | undefined;

function valueOf({ root, keys }: Placeholder, values: PlaceholderValues): JsonValue | undefined {
  if (root === 'goal') return keys.length === 0 ? values.goal : undefined;
  if (keys.length === 0) return undefined;
  if (root === 'inputs') return valueIn(values.inputs, keys);
  return root === 'config' ? valueIn(values.config, keys) : undefined;
}

function fill(value: JsonValue, find: Find): JsonValue {
  if (typeof value === 'string') {
    const [only] = placeholdersOf(value);
    return only && only.text === value.trim() ? (find(only) ?? value) : fillText(value, find);
  }
  if (Array.isArray(value)) return value.map((entry) => fill(entry, find));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member ?? null, find)]));
}

function fillText(text: string, find: Find): string {
  return text.replace(FORM, (whole: string, escape: string, braces: string, inner: string) => {
    if (escape) return isLate(read(braces, inner).root) ? whole : braces;
    const value = find(read(braces, inner));
    if (value === undefined) return whole;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

function placeholdersOf(text: string): Placeholder[] {
  return [...text.matchAll(FORM)]
    .filter(([, escape]) => !escape)
    .map(([, , braces = '', inner = '']) => read(braces, inner));
}

function read(text: string, inner: string): Placeholder {
  const [root = '', ...keys] = inner.trim().split('.');
  return { text, root, keys };
}
