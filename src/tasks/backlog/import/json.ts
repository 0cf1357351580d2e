import type { NamedDraft } from '../../../backlog/backlog.ts';
import { errorMessage, UsageError } from '../../../kernel/errors.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/json.ts';
import { didYouMean } from '../../../kernel/suggest.ts';

const KNOWN: readonly (keyof NamedDraft)[] = [
  'title',
  'goal',
  'kind',
  'role',
  'mode',
  'allowedPaths',
  'deniedPaths',
  'expectedFiles',
  'commands',
  'dependencies',
  'priority',
  'timeboxMinutes',
  'agents',
  'budget',
  'context',
  'source',
  'notes',
  'key',
];

/** A list of tasks, or an object with one as `tasks`. What is in them is checked when they are added. */
export function tasksOfJson(text: string, name: string): NamedDraft[] {
  const value = parse(text, name);
  const list = isJsonObject(value) ? value['tasks'] : value;
  if (!Array.isArray(list)) {
    throw new UsageError(`${name} holds no tasks.`, {
      next: 'Write a list of objects with a title each, or an object with such a list as "tasks".',
    });
  }
  return list.map((entry: unknown, index) => draftOf(entry, name, index));
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not JSON: ${errorMessage(error)}`, {
      next: 'Correct it, then import again.',
    });
  }
}

function draftOf(entry: unknown, name: string, index: number): NamedDraft {
  const where = `${name}, task ${index + 1}`;
  if (!isJsonObject(entry)) throw new UsageError(`${where} is not an object.`, { next: 'Give it a title.' });
  for (const key of Object.keys(entry)) {
    if (KNOWN.some((known) => known === key)) continue;
    throw new UsageError(`${where}: "${key}" is not known.${didYouMean(key, KNOWN)}`, {
      next: `Known are ${KNOWN.join(', ')}.`,
    });
  }
  const { key, title, source } = entry;
  if (key !== undefined && typeof key !== 'string')
    throw new UsageError(`${where}: its key is not a text.`, { next: 'Correct it, then import again.' });
  const named = key ?? (typeof title === 'string' ? title.toLowerCase() : String(index));
  return {
    ...(entry as JsonObject & NamedDraft),
    source: typeof source === 'string' ? source : `${name}#${named}`,
  };
}
