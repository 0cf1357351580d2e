import type * as z from 'zod';
import { isJsonObject, type JsonValue } from '../../kernel/json.ts';
import { findJsonMistake } from '../../kernel/json-mistake.ts';
import { fieldLine } from './field-line.ts';
import { type AdapterDefinition, definitionShape } from './shape.ts';

/** Something that is wrong with an adapter's file. What it stands in is left out, the rest is used. */
export interface AdapterProblem {
  readonly file: string;
  readonly line?: number;
  readonly field?: string;
  readonly message: string;
}

export interface ParsedDefinition {
  /** Absent when not even the rest can be used. */
  readonly definition?: AdapterDefinition;
  readonly problems: readonly AdapterProblem[];
}

type Issue = z.core.$ZodIssue;

/** `.loopwright/adapters/x.json:7: modes.headless.args: must be a list` */
export function formatAdapterProblem({ file, line, field, message }: AdapterProblem): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return field === undefined || field === '' ? `${place}: ${message}` : `${place}: ${field}: ${message}`;
}

export function parseDefinition(text: string, file: string): ParsedDefinition {
  const json = text.replace(/^\uFEFF/, '');
  const mistake = findJsonMistake(json);
  if (mistake) {
    const message = `This is not JSON: ${mistake.reason}`;
    return { problems: [{ file, line: mistake.line, message }] };
  }
  const document = JSON.parse(json) as JsonValue;
  const first = definitionShape.safeParse(document);
  if (first.success) return { definition: first.data, problems: [] };
  const problems = first.error.issues.map((issue) => problemOf(issue, file, json, document));
  const rest = definitionShape.safeParse(withoutBroken(document, first.error.issues));
  return rest.success ? { definition: rest.data, problems } : { problems };
}

function problemOf(issue: Issue, file: string, json: string, document: JsonValue): AdapterProblem {
  // A missing or unknown key has no line of its own: the object that lacks it has.
  const paths = issue.path.map((_, depth) => issue.path.slice(0, issue.path.length - depth));
  const line = paths.map((path) => fieldLine(json, path)).find((found) => found !== undefined) ?? 1;
  const missing = issue.code === 'invalid_type' && valueAt(document, issue.path) === undefined;
  const message = missing ? `is missing; it must be ${article(issue.expected)}` : issue.message;
  return { file, line, field: issue.path.map(String).join('.'), message };
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`;
}

/** Takes out the modes, states and error patterns that the issues are about. */
function withoutBroken(document: JsonValue, issues: readonly Issue[]): JsonValue {
  if (!isJsonObject(document)) return document;
  const kept: { [key: string]: JsonValue | undefined } = { ...document };
  for (const { path } of issues) {
    const [part, name] = path;
    if (part === 'errors' && typeof name === 'number') {
      kept['errors'] = listOf(document['errors']).filter((_, at) => !isBrokenEntry(issues, at));
    } else if ((part === 'modes' || part === 'states') && typeof name === 'string') {
      const { [name]: _, ...others } = objectOf(kept[part]);
      kept[part] = others;
    }
  }
  return kept;
}

function isBrokenEntry(issues: readonly Issue[], at: number): boolean {
  return issues.some(({ path }) => path[0] === 'errors' && path[1] === at);
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

function objectOf(value: JsonValue | undefined): { readonly [key: string]: JsonValue | undefined } {
  return isJsonObject(value) ? value : {};
}

function valueAt(document: JsonValue, path: readonly PropertyKey[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const step of path) {
    if (Array.isArray(value) && typeof step === 'number') value = value[step] as JsonValue | undefined;
    else if (isJsonObject(value) && typeof step === 'string') value = value[step];
    else return undefined;
  }
  return value;
}
