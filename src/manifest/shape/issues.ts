import type * as z from 'zod';
import { isJsonObject, type JsonValue } from '../../kernel/json.ts';
import { type PathStep, quote } from '../problem.ts';

const NAMES: { readonly [expected: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** Says in the words of the manifest what a zod issue says in those of a program. */
export function describeIssue(issue: z.core.$ZodIssue, document: JsonValue): string {
  const key = issue.path.findLast((step) => typeof step === 'string') ?? 'the manifest';
  const written = valueAt(document, issue.path);
  const name = typeof issue.path.at(-1) === 'number' ? 'this entry' : quote(key);
  if (issue.code === 'unrecognized_keys') return issue.message;
  const wanted = wantedBy(issue, written);
  if (wanted === undefined) return `${name} is wrong: ${issue.message}.`;
  if (written === undefined) return `${name} is missing; it must be ${wanted}.`;
  return `${name} must be ${wanted}, but is ${describeValue(written)}.${withoutQuotes(issue, written)}`;
}

export function wantedBy(issue: z.core.$ZodIssue, written?: JsonValue): string | undefined {
  if (issue.code === 'invalid_union') {
    const [first] = issue.errors[0] ?? [];
    const wanted = first && wantedBy(first);
    return typeof written === 'string' && wanted ? `${wanted} or {{config.<key>}}` : wanted;
  }
  if (issue.code === 'invalid_type') return NAMES[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(quote).join(', ')}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  if (issue.code !== 'too_small') return undefined;
  if (issue.origin === 'string') return 'a text that is not empty';
  if (issue.origin === 'array') return 'a list that is not empty';
  return issue.inclusive === false ? `more than ${issue.minimum}` : `${issue.minimum} or more`;
}

/** `"FALSE"` where `false` belongs is the mistake that reads right. */
function withoutQuotes(issue: z.core.$ZodIssue, written: JsonValue): string {
  if (issue.code !== 'invalid_type' || issue.expected !== 'boolean' || typeof written !== 'string') return '';
  const word = written.toLowerCase();
  return word === 'true' || word === 'false' ? ` Write ${word}, without quotes.` : '';
}

export function describeValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (isJsonObject(value)) return 'an object';
  return typeof value === 'string' ? `the text ${quote(value)}` : quote(value);
}

function valueAt(document: JsonValue, path: readonly PropertyKey[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step];
    else if (isJsonObject(value) && typeof step === 'string') value = value[step];
    else return undefined;
  }
  return value;
}

export function pathSteps(path: readonly PropertyKey[]): PathStep[] {
  return path.map((step) => (typeof step === 'symbol' ? String(step) : step));
}
