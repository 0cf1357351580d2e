import { deepFreeze, type JsonObject, type JsonValue } from '../kernel/json.ts';
import { schemaProblems } from './json-schema.ts';
import { withoutFence } from './output/fences.ts';
import { findJson } from './output/find-json.ts';
import { wholeJson } from './output/whole-json.ts';

export type OutputCheck =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problems: string[] };

/** How many values of a chatty text are tried before it counts as wrong. */
const MAX_TRIES = 50;

/**
 * Checks a worker's output and takes off what a model wraps around it. A schema of `type: "string"` asks for
 * plain text, which loses a surrounding fence and nothing else; any other schema asks for JSON, which is
 * looked for in the text: the first value that matches is the output. Output that decides the way must be the whole
 * answer: a value that is only quoted is nobody's decision.
 */
export function validateOutput(
  schema: JsonObject,
  content: JsonValue,
  { decides = false }: { readonly decides?: boolean } = {},
): OutputCheck {
  if (typeof content !== 'string') return check(schema, content);
  if (schema.type === 'string') return checkText(schema, content);
  if (decides) return checkWhole(schema, content);
  let firstMiss: OutputCheck | undefined;
  let tries = 0;
  for (const value of findJson(content)) {
    const checked = check(schema, value);
    if (checked.ok) return checked;
    firstMiss ??= checked;
    if (++tries >= MAX_TRIES) break;
  }
  return firstMiss ?? { ok: false, problems: [noJson(content)] };
}

function checkWhole(schema: JsonObject, content: string): OutputCheck {
  const value = wholeJson(content);
  if (value !== undefined) return check(schema, value);
  return { ok: false, problems: [`the whole answer must be JSON; it begins with ${beginning(content)}`] };
}

function checkText(schema: JsonObject, content: string): OutputCheck {
  const text = withoutFence(content);
  const checked = check(schema, text);
  if (checked.ok) return checked;
  // The blank line a program ends its output with must not spoil an enum or a pattern.
  const trimmed = check(schema, text.trim());
  return trimmed.ok ? trimmed : checked;
}

function check(schema: JsonObject, value: JsonValue): OutputCheck {
  const problems = schemaProblems(schema, value);
  return problems.length === 0 ? { ok: true, value } : { ok: false, problems };
}

function noJson(content: string): string {
  const start = content.trim();
  if (start === '') return 'the output is empty; JSON is expected';
  return `the output holds no JSON; it begins with ${beginning(content)}`;
}

function beginning(content: string): string {
  return JSON.stringify(content.trim().slice(0, 60));
}

const fileOutput = {
  type: 'object',
  properties: { filePath: { type: 'string', minLength: 1 }, fileContent: { type: 'string' } },
  required: ['filePath', 'fileContent'],
};

/** What `validationSchema` can name without declaring it. */
export const builtInSchemas: { readonly [name: string]: JsonObject } = deepFreeze({
  /** Any text that says something. */
  text: { type: 'string', pattern: '\\S' },
  json: {},
  file_output: fileOutput,
  file_list: { type: 'array', items: { type: 'string', minLength: 1 } },
  files: { type: 'array', items: fileOutput },
});
